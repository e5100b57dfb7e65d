import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const read = (file: string) => readFileSync(file, "utf8");
const files = execFileSync("git", ["ls-files"], { encoding: "utf8" }).trim().split("\n");
const documents = files.filter((file) => file.endsWith(".md") && existsSync(file));
/** Returns every first group of a pattern in the documents, with the file that it is in. */
const found = (pattern: RegExp) =>
	documents.flatMap((file) => [...read(file).matchAll(pattern)].map(([, text = ""]) => ({ file, text })));

/** Returns the anchors of a document's headings, as GitHub derives them. */
function anchorsOf(file: string): string[] {
	const headings = [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
	return headings.map((heading) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N}_ -]/gu, "")
			.replaceAll(" ", "-"),
	);
}

test("every relative link in the documents resolves", () => {
	const links = found(/\]\(([^)\s]+)\)/g).filter(({ text }) => !text.startsWith("http"));
	expect(links.length).toBeGreaterThan(50);
	const broken = links.filter(({ file, text }) => {
		const [target, anchor] = text.split("#");
		const resolved = target ? path.join(path.dirname(file), target) : file;
		return !existsSync(resolved) || (anchor && !anchorsOf(resolved).includes(anchor));
	});
	expect(broken).toEqual([]);
});

test("every decision has its own number, in its file name and its title", () => {
	const decisions = readdirSync("docs/decisions");
	const numbers = decisions.map((file) => Number(file.slice(0, 4)));
	expect(new Set(numbers).size).toBe(numbers.length);
	const titles = decisions.map((file) => /^# (\d+)\. /.exec(read(`docs/decisions/${file}`))?.[1]);
	expect(titles.map(Number)).toEqual(numbers);
});

test("every npm script and test file named in the documents exists", () => {
	const { scripts } = JSON.parse(read("package.json"));
	const names = files.map((file) => path.basename(file));
	expect(found(/npm run ([\w:]+)/g).filter(({ text }) => !(text in scripts))).toEqual([]);
	expect(found(/([\w.-]+\.(?:test|spec)\.ts)/g).filter(({ text }) => !names.includes(text))).toEqual([]);
});
