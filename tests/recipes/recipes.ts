import { existsSync, readFileSync } from "node:fs";

/** A recipe of docs/recipes.md: its commands and its changes, in order. */
export interface Recipe {
	title: string;
	steps: Step[];
}

type Step = { command: string } | FileChanges;

interface FileChanges {
	path: string;
	/** Texts of the file, and what replaces them. */
	changes: { from: string; to: string }[];
}

/** Reads the recipes. */
export function readRecipes(): Recipe[] {
	const text = readFileSync("docs/recipes.md", "utf8");
	return text
		.split(/^## /m)
		.slice(1)
		.map((section) => ({
			title: section.slice(0, section.indexOf("\n")),
			steps: [...section.matchAll(/^```(sh|diff)\n(.*?)^```$/gms)].map(([, kind, block = ""]) =>
				kind === "sh" ? { command: block } : readDiff(block),
			),
		}));
}

function readDiff(block: string): Step {
	const [, path = "", body = ""] = /^--- (\S+)\n(.*)$/s.exec(block) ?? [];
	const changes = body.split(/^@@\n/m).map((hunk) => {
		const lines = hunk.split("\n").slice(0, -1);
		const without = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1));
		return { from: without("+").join("\n"), to: without("-").join("\n") };
	});
	return { path, changes };
}

/** Returns the text of a file with a recipe's changes; "" is the text of a file that does not exist. Throws if the file
 *  does not contain what is replaced exactly once. */
export function changed(file: string, { path, changes }: FileChanges): string {
	let text = existsSync(file) ? readFileSync(file, "utf8") : "";
	for (const { from, to } of changes) {
		const parts = text.split(from);
		if (from !== "" && parts.length !== 2) {
			throw new Error(`${path} contains what docs/recipes.md replaces ${parts.length - 1} times:\n${from}`);
		}
		text = from === "" ? `${text}${to}\n` : parts.join(to);
	}
	return text;
}
