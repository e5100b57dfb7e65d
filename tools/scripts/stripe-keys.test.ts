import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { findStripeProblem, listProblems, type Target } from "./stripe-keys.ts";

const keys = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_PUBLISHABLE_KEY: "pk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };
const names = Object.keys(keys);

test("npm start accepts all three keys or none", () => {
	expect([findStripeProblem({}), findStripeProblem(keys)]).toEqual([null, null]);
});

test("npm start rejects a single key, with the names of the missing variables and without its value", () => {
	const problem = findStripeProblem({ STRIPE_SECRET_KEY: keys.STRIPE_SECRET_KEY });
	expect(problem).toContain("STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET");
	expect(problem).not.toContain(keys.STRIPE_SECRET_KEY);
});

const setHosts = "set STRIPE_EMULATOR_HOSTS in [env.demo.vars] of wrangler.toml to the host of your demo";
const inToml = (name: string) => `remove ${name} from [env.production] in wrangler.toml. Stripe's keys are secrets.`;

test.each<[string, Target, Record<string, string>, string[], string[]]>([
	["the three keys", "production", {}, names, []],
	["no key", "production", {}, [], names.map((name) => `run npx wrangler secret put ${name} --env production`)],
	["a key among the vars", "production", keys, names, names.map(inToml)],
	["no host for the demo", "demo", { STRIPE_EMULATOR_HOSTS: "half-dozen-demo.example.workers.dev" }, [], [setHosts]],
	["keys for the demo", "demo", {}, names, names.map((name) => `run npx wrangler secret delete ${name} --env demo`)],
])("the problems of a deployment with %s", (_, target, vars, secrets, problems) => {
	expect(listProblems(target, vars, secrets)).toEqual(problems);
});

/** Runs npm run deploy with a fake wrangler, which runs a shell script, and this line in [env.production.vars]. Returns
 *  what it prints. */
async function deploy(wrangler: string, line = ""): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "half-dozen-keys-"));
	const tool = (name: string, script: string) =>
		writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
	await tool("react-router", "echo building; exit 1");
	await tool("wrangler", wrangler);
	const toml = await readFile("wrangler.toml", "utf8");
	await writeFile(join(folder, "wrangler.toml"), toml.replace(/vars = \{ SHOP_ID = "[^"]+"/, `$&${line}`));
	const env = { ...process.env, CLOUDFLARE_ENV: "production", PATH: folder + delimiter + process.env["PATH"] };
	const printed = await new Promise<string>((done) => {
		const command = [resolve("tools/scripts/deploy.ts")];
		execFile(process.execPath, command, { cwd: folder, env }, (error, stdout, stderr) => {
			expect(error?.code).toBe(1);
			done(stdout + stderr);
		});
	});
	await rm(folder, { recursive: true });
	return printed;
}

test("npm run deploy with a key among the vars does not build and prints the fix without the key", async () => {
	const key = ', STRIPE_SECRET_KEY = "sk_test_1"';
	const printed = await deploy(`echo '${JSON.stringify(names.map((name) => ({ name })))}'`, key);
	expect(printed).not.toMatch(/building|sk_test_1/);
	expect(printed).toContain("Before deploying: remove STRIPE_SECRET_KEY from [env.production] in wrangler.toml");
});

test("npm run deploy without a login prints only how to sign in; after another error of wrangler, also that error", async () => {
	const signIn =
		"Could not list the Worker's secrets. Sign in with `npx wrangler login`, or set CLOUDFLARE_API_TOKEN, and try again.\n";
	const fail = (error: string) =>
		deploy(`printf '[WARNING] bindings\n\u001b[31m[ERROR]\u001b[0m ${error}\n' >&2; exit 1`);
	expect(await fail("it is necessary to set a CLOUDFLARE_API_TOKEN environment variable")).toBe(signIn);
	expect(await fail("fetch failed")).toBe(`fetch failed\n\n${signIn}`);
});
