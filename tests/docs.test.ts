import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { eventTypes } from "#app/payments/events.server.ts";
import { apiVersion } from "#app/payments/stripe-api.server.ts";
import { stripeKeyNames } from "#app/payments/stripe-config.server.ts";
import { browsers } from "../tools/vite/browsers.ts";

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

const [, requiredPackages = "", requiredEntries = ""] =
	/Required packages(.*?)Required in the root:(.*?)\n- /s.exec(read("docs/specification.md")) ?? [];

test("each package that docs/specification.md requires runs in a file that docs/CONTRIBUTING.md names", () => {
	const names = [...requiredPackages.matchAll(/`(.*?)`/g)].map(([, name]) => name);
	expect(names).toHaveLength(15);
	const uses = [...read("docs/CONTRIBUTING.md").matchAll(/^(?:-|\|) `(\S+)`.*?\]\(\.\.\/(.*?)\)/gm)];
	expect(uses.map(([, name]) => name)).toEqual(expect.arrayContaining(names));
	// an import of types runs nothing
	const runs = (file: string, name: string) => new RegExp(`^import (?!type)[^;]*"${name}["/]`, "m").test(read(file));
	expect(uses.filter(([, name = "", file = ""]) => !runs(file, name)).map(([use]) => use)).toEqual([]);
});

test("the root has the files that docs/specification.md requires", () => {
	const files = requiredEntries.match(/[\w.-]+\.\w+|\b(app|drizzle|migrations|public)\b/g) ?? [];
	expect(files).toHaveLength(9);
	expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test("README.md and first-run.md list the events that the shop handles", () => {
	const [readme, firstRun] = [read("README.md"), read("docs/first-run.md")];
	const listed = readme.split("and the events")[1]?.split("\n4.")[0] ?? "";
	expect(listed.match(/[a-z_]+\.[a-z]+(?=`)/g)).toEqual([...eventTypes]);
	expect(/--events (\S+)/.exec(firstRun)?.[1]?.split(",")).toEqual([...eventTypes]);
});

test("README.md and the emulator have the version of Stripe's API that the shop uses", () => {
	const emulator = "packages/stripe-emulator";
	for (const file of ["README.md", `${emulator}/README.md`, `${emulator}/objects/event.ts`]) {
		expect(read(file).match(/\d{4}-\d\d-\d\d\.[a-z]+/g)).toEqual([apiVersion]);
	}
});

test("README.md names the oldest browsers that the build supports", () => {
	const [, listed = ""] = /Browsers older than (.*) are not supported/.exec(read("README.md")) ?? [];
	const named = listed.split(/, | and /).map((browser) => browser.toLowerCase().replace(" ", ""));
	expect(named).toEqual(browsers);
});

test("docs/CONTRIBUTING.md says what each package is for and, if it is deployed, what was considered instead", () => {
	const parse = (file: string) => JSON.parse(read(file));
	const own = ["package.json", ...glob("packages/*/package.json")].map(parse);
	const deployed = new Set(own.flatMap(({ dependencies = {} }) => Object.keys(dependencies)));
	const tools = new Set([
		...own.flatMap((file) => Object.keys({ ...file.devDependencies, ...file.optionalDependencies })),
		...glob("tools/*/package.json").flatMap((file) => Object.keys(parse(file).dependencies)),
	]);
	const listed = (line: RegExp) =>
		[...read("docs/CONTRIBUTING.md").matchAll(line)]
			.flatMap(([, names = ""]) => names.replaceAll("`", "").split(/,\s+/))
			.toSorted();
	expect(listed(/^\| (`[^|]+`) \| \S[^|]* \| \S[^|]* \| \S[^|]* \|$/gm)).toEqual([...deployed].toSorted());
	expect(listed(/^- (`[\w@/-]+`(?:,\s+`[\w@/-]+`)*): \S/gm)).toEqual(
		[...tools].filter((name) => !deployed.has(name)).toSorted(),
	);
});

test("package.json describes the variables of .dev.vars.example, among them the keys that the shop reads", () => {
	const variables = [...read(".dev.vars.example").matchAll(/^(\w+)=/gm)].map(([, name]) => name);
	expect(variables).toEqual([...stripeKeyNames, "STRIPE_EMULATOR_HOSTS"]);
	expect(Object.keys(JSON.parse(read("package.json")).cloudflare.bindings)).toEqual(variables);
});

test(".nvmrc has the version of Node that npm installs with the dependencies", () => {
	const { optionalDependencies } = JSON.parse(read("package.json"));
	expect([...new Set(Object.values(optionalDependencies))]).toEqual([read(".nvmrc").trim()]);
});

/** The number of requirements in each section of ASVS 5.0, then the numbers of those that are only for level 3. */
const asvs = `1.1:2 1.2:10-10 1.3:12-12 1.4:3 1.5:3-3 2.1:3 2.2:3 2.3:5-5 2.4:2-2 3.1:1-1 3.2:3-3 3.3:5-5 3.4:8-7,8
	3.5:8-6,7,8 3.6:1-1 3.7:5-3,4,5 4.1:5-4,5 4.2:5-2,3,4,5 4.3:2 4.4:4 5.1:1 5.2:6-4,5,6 5.3:3-3 5.4:3 6.1:3 6.2:12
	6.3:8-5,6,7,8 6.4:6-5,6 6.5:8-6,7,8 6.6:4-4 6.7:2-1,2 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:3-3 7.6:2 8.1:4-3,4 8.2:4-4
	8.3:3-2,3 8.4:2-2 9.1:3 9.2:4 10.1:2 10.2:3-3 10.3:5-5 10.4:16-12,13,14,15,16 10.5:5 10.6:2 10.7:3 11.1:4-3,4
	11.2:5-4,5 11.3:5-4,5 11.4:4 11.5:2-2 11.6:2-2 11.7:2-1,2 12.1:5-4,5 12.2:2 12.3:5-5 13.1:4-2,3,4 13.2:6-6 13.3:4-3,4
	13.4:7-6,7 14.1:2 14.2:8-5,6,7,8 14.3:3 15.1:5-4,5 15.2:5-4,5 15.3:7 15.4:4-1,2,3,4 16.1:1 16.2:5 16.3:4 16.4:3
	16.5:4-4 17.1:2-2 17.2:8-5,6,7,8 17.3:2`;

test("docs/security.md lists each requirement of ASVS levels 1 and 2 exactly once", () => {
	const required = asvs.split(/\s+/).flatMap((entry) => {
		const [, section = "", count, advanced = ""] = /^([\d.]+):(\d+)(?:-(.*))?$/.exec(entry) ?? [];
		const numbers = Array.from({ length: Number(count) }, (_, index) => String(index + 1));
		return numbers.filter((number) => !advanced.split(",").includes(number)).map((number) => `${section}.${number}`);
	});
	expect(required).toHaveLength(253);
	const lines = [...read("docs/security.md").matchAll(/^- V?(\d+(?:\.\d+)*(?:,\s+V?\d+(?:\.\d+)*)*): \S/gm)];
	const listed = lines.flatMap(([, text = ""]) => text.split(/,\s+V?/));
	// a chapter or a section stands for all of its requirements
	const times = (requirement: string) => listed.filter((number) => `${requirement}.`.startsWith(`${number}.`)).length;
	expect(required.filter((requirement) => times(requirement) !== 1)).toEqual([]);
});
