import { existsSync, readFileSync } from "node:fs";

/** A recipe of docs/recipes.md: its commands and its changes, in order. */
export interface Recipe {
	title: string;
	steps: Step[];
}

type Step = { command: string } | FileChanges;

interface FileChanges {
	path: string;
	/** Lines of the file, and what replaces them. */
	changes: { from: string; to: string }[];
}

/** Reads the recipes, whose text `edit` may change. */
export function readRecipes(edit = (text: string) => text): Recipe[] {
	return edit(readFileSync("docs/recipes.md", "utf8"))
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
 *  does not contain the lines that are replaced exactly once. */
export function changed(file: string, { path, changes }: FileChanges): string {
	let text = existsSync(file) ? `\n${readFileSync(file, "utf8")}` : "\n\n";
	for (const { from, to } of changes) {
		const parts = text.split(`\n${from}\n`);
		if (parts.length !== 2) {
			const times = parts.length === 1 ? "no longer contains" : "contains more than once";
			throw new Error(`${path} ${times} the lines that the recipe replaces:\n${from}`);
		}
		text = parts.join(to === "" ? "\n" : `\n${to}\n`);
	}
	return text.slice(1);
}
