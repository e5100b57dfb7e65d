import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../", import.meta.url);
const docs = new URL("docs/", root);
const page = readFileSync(new URL("security.md", docs), "utf8");
const testFiles = globSync("{app,scripts,stripe-emulator,tests}/**/*.{test,spec}.ts", { cwd: root });

const groups = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, group = ""]) => group);

/** Returns the quoted test titles in a text, each with the name of the file before it. */
function testsIn(text: string): { file: string; title: string }[] {
	let file = "";
	return [...text.matchAll(/`([\w./-]+\.(?:test|spec)\.ts)`|"([^"]+)"/g)].flatMap(([, name, title]) => {
		file = name ?? file;
		return title ? [{ file, title: title.replaceAll(/\s+/g, " ") }] : [];
	});
}

/** Returns the titles in the one file of tests whose path ends with `name`: strings that a function follows. */
function titlesIn(name: string): string[] {
	const found = testFiles.filter((path) => `/${path}`.endsWith(`/${name}`));
	expect(found, name).toHaveLength(1);
	const source = readFileSync(new URL(found[0] ?? "", root), "utf8");
	const title = /(["`])((?:\\.|(?!\1)[^\\])+)\1,\s*(?:\{[^}]*\},\s*)?(?:async\s*)?\(/g;
	return [...source.matchAll(title)].map(([, , text = ""]) => text);
}

const matches = (title: string) =>
	new RegExp(`^${title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", ".+")}$`);

/** Returns the first and the last cell of each row in the tables with these columns. */
function rowsOf(first: string, last: string): { first: string; last: string }[] {
	return page.split("\n\n").flatMap((block) => {
		const [head = "", , ...rows] = block.trim().split("\n");
		if (!head.startsWith(`| ${first} |`) || !head.endsWith(`| ${last} |`)) return [];
		return rows
			.map((row) => row.split("|").map((cell) => cell.trim()))
			.map((row) => ({ first: row[1] ?? "", last: row.at(-2) ?? "" }));
	});
}

/** ASVS 5.0.0: the last requirement of level 1 or 2 in each section that has any. Those of level 3 come after it. */
const sections: Record<string, number> = {
	...{ "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2 },
	...{ "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1 },
	...{ "3.2": 2, "3.3": 4, "3.4": 6, "3.5": 5, "3.7": 2 },
	...{ "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4 },
	...{ "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3 },
	...{ "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4 },
	...{ "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2 },
	...{ "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1 },
	...{ "9.1": 3, "9.2": 4 },
	...{ "10.1": 2, "10.2": 2, "10.3": 4, "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3 },
	...{ "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1 },
	...{ "12.1": 3, "12.2": 2, "12.3": 4 },
	...{ "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5 },
	...{ "14.1": 2, "14.2": 4, "14.3": 3 },
	...{ "15.1": 3, "15.2": 3, "15.3": 7 },
	...{ "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3 },
	...{ "17.1": 1, "17.2": 4, "17.3": 2 },
};

test("each requirement of levels 1 and 2 is listed once", () => {
	const required = Object.entries(sections).flatMap(([section, last]) =>
		Array.from({ length: last }, (_, index) => `${section}.${index + 1}`),
	);
	expect(required).toHaveLength(253);
	// "V9" or "6.5" is every requirement of a chapter or section
	const listed = groups(page, /^\| ((?:V?\d+(?:\.\d+)*(?:, )?)+)/gm)
		.flatMap((list) => list.trim().split(", "))
		.map((number) => number.replace("V", ""));
	const isIn = (number: string) => (requirement: string) => `${requirement}.`.startsWith(`${number}.`);
	expect(listed.filter((number) => !required.some(isIn(number)))).toEqual([]);
	const times = required.map((requirement) => [
		requirement,
		listed.filter((number) => isIn(number)(requirement)).length,
	]);
	expect(times.filter(([, count]) => count !== 1)).toEqual([]);
});

test("every row of a table with tests names a test, or says why there is none", () => {
	const rows = ["input", "requirement", "rule"].flatMap((first) => rowsOf(first, "test"));
	expect(rows.length).toBeGreaterThan(60);
	for (const { first, last } of rows) if (!last.startsWith("*none: ")) expect(testsIn(last), first).not.toEqual([]);
});

test("every quoted test exists", () => {
	const quoted = testsIn(page);
	expect(quoted.length).toBeGreaterThan(130);
	const missing = quoted.filter(({ file, title }) => !titlesIn(file).some((one) => matches(title).test(one)));
	expect(missing).toEqual([]);
});

test("every link leads to a file or heading that exists", () => {
	for (const link of groups(page, /\]\(([^)]+)\)/g).filter((link) => !link.startsWith("https:"))) {
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
