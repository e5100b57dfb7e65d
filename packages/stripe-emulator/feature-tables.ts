/** Writes the README's tables of features: `npx node packages/stripe-emulator/feature-tables.ts`. */
import { readFileSync, writeFileSync } from "node:fs";
import { routes } from "./api/requests.ts";
import { elementTypes } from "./browser/element-types.ts";
import { eventTypes } from "./objects/event.ts";

const start = "<!-- Features: written by feature-tables.ts -->";
const end = "<!-- End of features -->";

/** Returns the README with its tables of features, between two comments, written from the code. */
export function withFeatures(readme: string): string {
	const [before = "", rest = ""] = readme.split(start);
	const [, after = ""] = rest.split(end);
	const tables = [
		table(["API resource", "Endpoints"], grouped(routes.filter(({ name }) => !isOwn(name)).map(({ name }) => name))),
		table(["Events", "Types"], grouped([...eventTypes])),
		`Elements: ${elementTypes.map((type) => `\`${type}\``).join(", ")}.`,
	];
	return `${before}${start}\n\n${tables.join("\n\n")}\n\n${end}${after}`;
}

/** Returns whether Stripe's API has no such endpoint: the emulator's own frames call it. */
function isOwn(name: string): boolean {
	return /^(card_parts|three_d_secure)\./.test(name);
}

/** Groups names such as "charge.dispute.closed" by all but their last part. */
function grouped(names: string[]): [string, string][] {
	const groups = new Map<string, string[]>();
	for (const name of names) {
		const end = name.lastIndexOf(".");
		const group = name.slice(0, end);
		groups.set(group, [...(groups.get(group) ?? []), name.slice(end + 1)]);
	}
	return [...groups].map(([group, each]) => [`\`${group}\``, each.join(", ")]);
}

function table(header: string[], rows: string[][]): string {
	return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const readme = new URL("README.md", import.meta.url);
if (import.meta.main) writeFileSync(readme, withFeatures(readFileSync(readme, "utf8")));
