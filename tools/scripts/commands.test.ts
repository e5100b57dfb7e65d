import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { expect, test } from "vitest";

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync("package.json", "utf8"));

/** Returns a script without the setup, and with the scripts that it runs in their place: npm takes longer to start than
 *  they do. */
function expand(name: string): string {
	return (scripts[name] ?? "")
		.replace(/^(node tools\/scripts\/setup\.mjs && )?(exec )?/, "")
		.replace(/npm (?:run --silent )?([\w:]+) --/, (_, name) => expand(name));
}

/** The scripts with the names of the commands that run them. */
const commands = Map.groupBy(Object.keys(scripts), expand);
const rows = [...commands].map(([script, names]) => [names.join(", "), script] as const);

/** Runs a script as npm does, with one argument. */
function runScript(script: string, argument: string) {
	const env = {
		...process.env,
		PATH: resolve("node_modules/.bin") + delimiter + process.env["PATH"],
		NODE_COMPILE_CACHE: "node_modules/.cache/commands",
	};
	return new Promise<{ code: number | null; printed: string }>((done) => {
		const child = execFile("sh", ["-c", `${script} ${argument}`], { env }, (_, stdout, stderr) =>
			done({ code: child.exitCode, printed: stdout + stderr }),
		);
	});
}

test.concurrent.each(rows)(
	"npm run %s prints only its help for --help, and its example exists",
	async (name, script) => {
		const [, file = ""] = /\bnode (\S+)/.exec(script) ?? [];
		if (file) expect(existsSync(file), `${file} does not exist. Delete ${name} in package.json.`).toBe(true);
		const { code, printed } = await runScript(script, "--help");
		// biome's commands begin with a description
		const help = script.startsWith("biome") ? /^Usage: /m : /^Usage: npm (?!.*^ {4}at ).*\nExample: \S[^\n]+\n$/ms;
		expect(printed).toMatch(help);
		expect(code).toBe(0);
		const [, described = "", example = ""] = /^(.*)^Example: (.*)$/ms.exec(printed) ?? [];
		for (const [, name = ""] of example.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toHaveProperty([name]);
		for (const [, option = ""] of example.matchAll(/ (--?\w[\w-]*)/g)) expect(described).toContain(option);
		for (const [, path = ""] of example.matchAll(/ (\w+\/\S+)/g)) expect(existsSync(path), path).toBe(true);
	},
);

test.concurrent.each([
	["deploy", "production"],
	["deploy:demo", "demo"],
])("npm run %s deploys [env.%s]", async (name, target) => {
	const { printed } = await runScript(expand(name), "--help");
	expect(printed).toContain(`builds the shop for [env.${target}] of wrangler.toml`);
});

// the others read their arguments with the same function
test.concurrent.each(["check", "deploy", "lint", "serve"])("npm run %s refuses an unknown option", async (name) => {
	const { code, printed } = await runScript(expand(name), "--frobnicate");
	expect(printed).toMatch(/^[^\n]*--frobnicate/);
	expect(printed).not.toMatch(/^ {4}at /m);
	expect(code).not.toBe(0);
});

test("a command that installs the dependencies runs on the Node among them, because the shell looks it up again", () => {
	const installing = Object.values(scripts).filter((script) => script.includes("setup.mjs"));
	expect(installing.length).toBeGreaterThan(5);
	expect(installing.filter((script) => !/setup\.mjs && (exec node|(exec )?npm run) /.test(script))).toEqual([]);
});
