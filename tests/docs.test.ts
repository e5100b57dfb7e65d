import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const folders = "{app,docs,drizzle,local,packages,tests,tools}";
const glob = (...patterns: string[]) => globSync(patterns, { exclude: ["**/node_modules/**"] });
const read = (file: string) => readFileSync(file, "utf8");
/** Returns the first capture group of every match in the documents, with the document's path. */
const findAll = (pattern: RegExp) =>
	glob("*.md", `${folders}/**/*.md`).flatMap((file) =>
		[...read(file).matchAll(pattern)].map(([, text = ""]) => ({ file, text })),
	);

/** Returns the anchors of a document's headings, as GitHub derives them. */
function anchorsOf(file: string): string[] {
	const headings = [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading.toLowerCase());
	return headings.map((heading) => heading.replace(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-"));
}

test("every relative link in the documents resolves", () => {
	const links = findAll(/\]\(([^)\s]+)\)/g).filter(({ text }) => !text.startsWith("http"));
	expect(links.length).toBeGreaterThan(50);
	const broken = links.filter(({ file, text }) => {
		const [target, anchor] = text.split("#");
		const resolved = target ? path.join(path.dirname(file), target) : file;
		return !existsSync(resolved) || (anchor && !anchorsOf(resolved).includes(anchor));
	});
	expect(broken).toEqual([]);
});

test("every decision has a unique number, which its file name and its title share", () => {
	const files = readdirSync("docs/decisions");
	const numbers = files.map((file) => Number(file.slice(0, 4)));
	expect(new Set(numbers).size).toBe(numbers.length);
	const titles = files.map((file) => /^# (\d+)\. /.exec(read(`docs/decisions/${file}`))?.[1]);
	expect(titles.map(Number)).toEqual(numbers);
});

test("every npm script and test file named in the documents exists", () => {
	const { scripts } = JSON.parse(read("package.json"));
	expect(findAll(/npm run ([\w:]+)/g).filter(({ text }) => !(text in scripts))).toEqual([]);
	const names = glob(`${folders}/**/*.{test,spec}.ts`).map((file) => path.basename(file));
	expect(findAll(/([\w.-]+\.(?:test|spec)\.ts)/g).filter(({ text }) => !names.includes(text))).toEqual([]);
});
