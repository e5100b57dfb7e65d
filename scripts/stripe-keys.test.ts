import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

/** A folder with tools that do as little as possible: each says its name, and the first to build fails. */
let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "half-dozen-keys-"));
	await tool("react-router", "echo building; exit 1");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function tool(name: string, script: string): Promise<void> {
	return writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** What a script prints; it always ends in the end of the building. */
function print(script: string): Promise<string> {
	const options = { cwd: folder, env: { ...process.env, PATH: folder + delimiter + process.env["PATH"] } };
	return new Promise((done) => {
		const child = execFile(process.execPath, [resolve("scripts", script)], options, (_, stdout, stderr) => {
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

function start(variables: Record<string, string>): Promise<string> {
	const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
	return writeFile(join(folder, ".dev.vars"), lines.join("")).then(() => print("serve.ts"));
}

test.each([
	["no key", {}],
	["no key, but a base of any kind", { STRIPE_API_BASE: "no URL" }],
	["all three keys", keys],
	["a live key and no base", { ...keys, STRIPE_SECRET_KEY: "sk_live_ofthisshop", STRIPE_API_BASE: "" }],
	["all three keys and a base", { ...keys, STRIPE_API_BASE: base }],
])("npm start goes on with %s", async (_, variables) => {
	expect(await start(variables)).toContain("building");
});

test.each([
	["one key", { STRIPE_SECRET_KEY: "sk_test_ofthisshop", STRIPE_API_BASE: "no URL" }, "STRIPE_PUBLISHABLE_KEY"],
	["a base that is no URL", { ...keys, STRIPE_API_BASE: "no URL" }, "STRIPE_API_BASE"],
	[
		"a base and a live key",
		{ ...keys, STRIPE_SECRET_KEY: "sk_live_ofthisshop", STRIPE_API_BASE: base },
		"sk_test_ key",
	],
])("npm start refuses %s, names it and prints no value", async (_, variables, name) => {
	const printed = await start(variables);
	expect(printed).toContain(name);
	expect(printed).not.toContain("building");
	for (const value of Object.values(variables)) expect(printed).not.toContain(value);
});

test.each([
	["the three keys", Object.keys(keys), null],
	["a missing key", Object.keys(keys).slice(1), "npx wrangler secret put STRIPE_SECRET_KEY --env production"],
	["a base", [...Object.keys(keys), "STRIPE_API_BASE"], "npx wrangler secret delete STRIPE_API_BASE --env production"],
])("npm run deploy with %s builds, or says how to mend it", async (_, names, command) => {
	await tool("wrangler", `echo '${JSON.stringify(names.map((name) => ({ name })))}'`);
	const printed = await print("deploy.ts");
	expect(printed.includes("building")).toBe(command === null);
	if (command) expect(printed).toContain(command);
});
