import { globSync, readFileSync } from "node:fs";
import { parseAst } from "vite";

const root = new URL("../../", import.meta.url);

/** Reads the source files in folders of the repository, without tests. */
export function readSources(folders: string, extensions = "ts,tsx"): { path: string; text: string }[] {
	const paths = globSync(`${folders}/**/*.{${extensions}}`, { cwd: root, exclude: ["**/*.test.*", "**/tests/**"] });
	return paths.toSorted().map((path) => ({ path, text: readFileSync(new URL(path, root), "utf8") }));
}

export function parseSource({ path, text }: { path: string; text: string }) {
	return parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" });
}
