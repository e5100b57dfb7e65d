import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const docs = new URL("../docs/", import.meta.url);
const page = readFileSync(new URL("security.md", docs), "utf8");

/** Where "[sessions]" leads. */
const files = new Map([...page.matchAll(/^\[([\w-]+)\]: (\S+)$/gm)].map(([, name = "", path = ""]) => [name, path]));

/** The page without that list. */
const prose = page.replace(/^\[[\w-]+\]: .*$/gm, "");

const groups = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, group = ""]) => group);

/** Every test that a text names, with its file: what is quoted behind the name of one. */
function testsIn(text: string): { file: string; title: string }[] {
	let file = "";
	return [...text.matchAll(/\[([\w-]+)\](?!\()|"([^"]+)"/g)].flatMap(([, name, title]) => {
		file = name ? (files.get(name) ?? "") : file;
		return title && /\.(test|spec)\.ts$/.test(file) ? [{ file, title: title.replaceAll("\n", " ") }] : [];
	});
}

/** The titles in a file of tests: texts that a function follows. */
function titlesOf(path: string): string[] {
	const source = readFileSync(new URL(path, docs), "utf8");
	const title = /(["`])((?:\\.|(?!\1)[^\\])+)\1,\s*(?:\{[^}]*\},\s*)?(?:async\s*)?\(/g;
	return [...source.matchAll(title)].map(([, , text = ""]) => text);
}

const inOwnWords = (title: string) =>
	new RegExp(`^${title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", ".+")}$`);

/** The rows of each table that has such a column, as their cells. */
function rowsWith(column: string): string[][] {
	const rows = page.split("\n\n").flatMap((block) => {
		const [head = "", , ...body] = block.trim().split("\n");
		return head.startsWith("|") && head.includes(`| ${column} |`) ? body : [];
	});
	return rows.map((row) => row.split("|").slice(1, -1));
}

/** ASVS 5.0.0, level 1: in each section that has any, the numbers of its requirements. */
const levelOne: Record<string, number[]> = {
	...{ "1.2": [1, 2, 3, 4, 5], "1.3": [1, 2], "1.5": [1], "2.1": [1], "2.2": [1, 2], "2.3": [1] },
	...{
		"3.2": [1, 2],
		"3.3": [1],
		"3.4": [1, 2],
		"3.5": [1, 2, 3],
		"4.1": [1],
		"4.4": [1],
		"5.2": [1, 2],
		"5.3": [1, 2],
	},
	...{ "6.1": [1], "6.2": [1, 2, 3, 4, 5, 6, 7, 8], "6.3": [1, 2], "6.4": [1, 2], "7.2": [1, 2, 3, 4], "7.4": [1, 2] },
	...{ "8.1": [1], "8.2": [1, 2], "8.3": [1], "9.1": [1, 2, 3], "9.2": [1], "10.4": [1, 2, 3, 4, 5], "11.3": [1, 2] },
	...{
		"11.4": [1],
		"12.1": [1],
		"12.2": [1, 2],
		"13.4": [1],
		"14.2": [1],
		"14.3": [1],
		"15.1": [1],
		"15.2": [1],
		"15.3": [1],
	},
};

test("every requirement of level 1 is answered once", () => {
	const required = Object.entries(levelOne).flatMap(([section, numbers]) =>
		numbers.map((number) => `${section}.${number}`),
	);
	expect(required).toHaveLength(70);
	const [answers = "", ofLevelOne = ""] = page.split(/\n## Beyond level 1\n|\nOf what one might look for/);
	const leftOut = (ofLevelOne.split("Of level 1:")[1] ?? "").match(/\*\*.*?\*\*/)?.[0] ?? "";
	const answered = groups(answers, /^\| ((?:\d+\.\d+\.\d+(?:, )?)+)/gm).join() + leftOut;
	expect(groups(answered, /(\d+\.\d+\.\d+)/g).toSorted()).toEqual(required.toSorted());
});

test("every row of a table of requirements or rules names a test", () => {
	const rows = rowsWith("shown by");
	expect(rows.length).toBeGreaterThan(70);
	for (const row of rows) expect(testsIn(row.at(-1) ?? ""), row[0]).not.toEqual([]);
});

test("every test that the page names is there", () => {
	const named = testsIn(prose);
	expect(named.length).toBeGreaterThan(100);
	const missing = named.filter(({ file, title }) => !titlesOf(file).some((one) => inOwnWords(title).test(one)));
	expect(missing).toEqual([]);
});

test("every file and heading that the page leads to is there, and every name is used", () => {
	for (const name of groups(prose, /\[([\w-]+)\](?!\()/g)) expect(files.has(name), name).toBe(true);
	for (const name of files.keys()) expect(prose, name).toContain(`[${name}]`);
	for (const link of [...files.values(), ...groups(prose, /\]\(([^)]+)\)/g)].filter(
		(link) => !link.startsWith("https:"),
	)) {
		const [path = "", heading] = link.split("#");
		expect(existsSync(new URL(path || "security.md", docs)), link).toBe(true);
		if (!heading) continue;
		const headings = groups(readFileSync(new URL(path || "security.md", docs), "utf8"), /^#+ (.*)$/gm);
		expect(
			headings.map((one) => one.toLowerCase().replaceAll(" ", "-")),
			link,
		).toContain(heading);
	}
});
