import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findStripeProblem, listProblems, type Target } from "./stripe-keys.ts";

/** A folder with fake tools. The fake build prints "building" and fails. */
let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "half-dozen-keys-"));
	await tool("react-router", "echo building; exit 1");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function tool(name: string, script: string): Promise<void> {
	return writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Runs a script and returns its output. The script always exits with 1, because the fake build fails. */
function print([script = "", ...args]: string[], more: Record<string, string> = {}): Promise<string> {
	const env = { ...process.env, ...more, PATH: folder + delimiter + process.env["PATH"] };
	const options = { cwd: folder, env };
	return new Promise((done) => {
		const command = [resolve("tools/scripts", script), ...args];
		const child = execFile(process.execPath, command, options, (_, stdout, stderr) => {
			expect(child.exitCode).toBe(1);
			done(stdout + stderr);
		});
	});
}

const keys = {
	STRIPE_SECRET_KEY: "sk_test_ofthisshop",
	STRIPE_PUBLISHABLE_KEY: "pk_test_ofthisshop",
	STRIPE_WEBHOOK_SECRET: "whsec_ofthisshop",
};
const base = "http://127.0.0.1:12111";

test.each([
	["no keys", {}],
	["no keys and an invalid STRIPE_API_BASE", { STRIPE_API_BASE: "no URL" }],
	["all three keys", keys],
	["a live key and no STRIPE_API_BASE", { ...keys, STRIPE_SECRET_KEY: "sk_live_ofthisshop", STRIPE_API_BASE: "" }],
	["all three keys and a STRIPE_API_BASE", { ...keys, STRIPE_API_BASE: base }],
])("npm start accepts %s", (_, variables) => {
	expect(findStripeProblem(variables)).toBe(null);
});

test.each([
	["only one key", { STRIPE_SECRET_KEY: "sk_test_ofthisshop", STRIPE_API_BASE: "no URL" }, "STRIPE_PUBLISHABLE_KEY"],
	["a STRIPE_API_BASE that is not a URL", { ...keys, STRIPE_API_BASE: "no URL" }, "STRIPE_API_BASE"],
	[
		"a STRIPE_API_BASE and a live key",
		{ ...keys, STRIPE_SECRET_KEY: "sk_live_ofthisshop", STRIPE_API_BASE: base },
		"sk_test_ key",
	],
])("npm start rejects %s, with the variable's name and without its value", (_, variables, name) => {
	const problem = findStripeProblem(variables);
	expect(problem).toContain(name);
	for (const value of Object.values(variables)) expect(problem).not.toContain(value);
});

test("npm start builds with three keys, and not with one", async () => {
	const lines = Object.entries(keys).map(([name, value]) => `${name}=${value}\n`);
	const start = ["serve.ts", "--port", "0"];
	await writeFile(join(folder, ".dev.vars"), lines.join(""));
	expect(await print(start)).toContain("building\n");
	await writeFile(join(folder, ".dev.vars"), lines.slice(0, 1).join(""));
	expect(await print(start)).toBe(
		".dev.vars does not set STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET. Set all three keys, or none to use the Stripe emulator.\n",
	);
});

test("npm start does not build if its port is taken, and names another port", async () => {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	const port = typeof address === "object" ? (address?.port ?? 0) : 0;
	try {
		expect(await print(["serve.ts", "--port", String(port)])).toBe(
			`Another program listens on port ${port}. Stop it, or choose another port: npm start -- --port ${port + 1}\n`,
		);
	} finally {
		server.close();
	}
});

const names = Object.keys(keys);

test.each<[string, Target, Record<string, string>, string[], string[]]>([
	["the three keys", "production", {}, names, []],
	[
		"a missing key",
		"production",
		{},
		names.slice(1),
		["run npx wrangler secret put STRIPE_SECRET_KEY --env production"],
	],
	[
		"STRIPE_API_BASE among the secrets",
		"production",
		{},
		[...names, "STRIPE_API_BASE"],
		["run npx wrangler secret delete STRIPE_API_BASE --env production"],
	],
	[
		"STRIPE_API_BASE among the vars",
		"production",
		{ STRIPE_API_BASE: base },
		names,
		["remove STRIPE_API_BASE from [env.production] in wrangler.toml. Stripe's keys are secrets."],
	],
	[
		"a key among the vars",
		"production",
		{ STRIPE_SECRET_KEY: "sk_test_ofthisshop" },
		names,
		["remove STRIPE_SECRET_KEY from [env.production] in wrangler.toml. Stripe's keys are secrets."],
	],
	[
		"no host for the demo",
		"demo",
		{ STRIPE_EMULATOR_HOSTS: "half-dozen-demo.example.workers.dev" },
		[],
		["set STRIPE_EMULATOR_HOSTS in [env.demo.vars] of wrangler.toml to the host of your demo"],
	],
	["keys for the demo", "demo", {}, names, names.map((name) => `run npx wrangler secret delete ${name} --env demo`)],
])("the problems of a deployment with %s", (_, target, vars, secrets, problems) => {
	expect(listProblems(target, vars, secrets)).toEqual(problems);
});

/** Runs `npm run deploy` with the three keys as secrets, and `vars` added to the production vars in wrangler.toml. */
async function deploy(target: Target, vars = ""): Promise<string> {
	await tool("wrangler", `echo '${JSON.stringify(names.map((name) => ({ name })))}'`);
	const toml = await readFile("wrangler.toml", "utf8");
	await writeFile(join(folder, "wrangler.toml"), toml.replace('SHOP_ID = "half-dozen"', `$&${vars}`));
	return print(["deploy.ts"], { CLOUDFLARE_ENV: target });
}

test("npm run deploy builds with the three keys", async () => {
	expect(await deploy("production")).toBe("building\nCommand failed: react-router build --logLevel warn\n");
});

test("npm run deploy with a key among the vars does not build and prints the fix without the key", async () => {
	const printed = await deploy("production", ', STRIPE_SECRET_KEY = "sk_test_ofthisshop"');
	expect(printed).not.toContain("building");
	expect(printed).toContain("Before deploying: remove STRIPE_SECRET_KEY from [env.production] in wrangler.toml");
	expect(printed).not.toContain("sk_test_ofthisshop");
});

test("npm run deploy:demo checks the vars and secrets of the demo", async () => {
	const printed = await deploy("demo");
	expect(printed).not.toContain("building");
	expect(printed).toContain("Before deploying: set STRIPE_EMULATOR_HOSTS in [env.demo.vars]");
	expect(printed).toContain("Before deploying: run npx wrangler secret delete STRIPE_SECRET_KEY --env demo");
});

test("the first npm run deploy prints how to set the three keys", async () => {
	await writeFile(join(folder, "wrangler.toml"), await readFile("wrangler.toml", "utf8"));
	await tool("wrangler", "echo 'This Worker does not exist on your account. [code: 10007]' >&2; exit 1");
	const printed = await print(["deploy.ts"]);
	for (const name of names) {
		expect(printed).toContain(`Before deploying: run npx wrangler secret put ${name} --env production`);
	}
});

test("npm run deploy prints wrangler's error without a stack trace if Cloudflare is unreachable", async () => {
	await writeFile(join(folder, "wrangler.toml"), await readFile("wrangler.toml", "utf8"));
	await tool("wrangler", "echo 'Unable to resolve the hostname' >&2; exit 1");
	const printed = await print(["deploy.ts"]);
	expect(printed).toContain("Unable to resolve the hostname");
	expect(printed).toContain("npx wrangler login");
	expect(printed).not.toMatch(/building|\n\s+at /);
});
