import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

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
function print(script: string, more: Record<string, string> = {}): Promise<string> {
	const env = { ...process.env, ...more, PATH: folder + delimiter + process.env["PATH"] };
	const options = { cwd: folder, env };
	return new Promise((done) => {
		const child = execFile(process.execPath, [resolve("tools/scripts", script)], options, (_, stdout, stderr) => {
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
	["no keys", {}],
	["no keys and an invalid STRIPE_API_BASE", { STRIPE_API_BASE: "no URL" }],
	["all three keys", keys],
	["a live key and no STRIPE_API_BASE", { ...keys, STRIPE_SECRET_KEY: "sk_live_ofthisshop", STRIPE_API_BASE: "" }],
	["all three keys and a STRIPE_API_BASE", { ...keys, STRIPE_API_BASE: base }],
])("npm start builds with %s", async (_, variables) => {
	expect(await start(variables)).toContain("building");
});

test.each([
	["only one key", { STRIPE_SECRET_KEY: "sk_test_ofthisshop", STRIPE_API_BASE: "no URL" }, "STRIPE_PUBLISHABLE_KEY"],
	["a STRIPE_API_BASE that is not a URL", { ...keys, STRIPE_API_BASE: "no URL" }, "STRIPE_API_BASE"],
	[
		"a STRIPE_API_BASE and a live key",
		{ ...keys, STRIPE_SECRET_KEY: "sk_live_ofthisshop", STRIPE_API_BASE: base },
		"sk_test_ key",
	],
])("npm start with %s does not build, and prints the variable's name without its value", async (_, variables, name) => {
	const printed = await start(variables);
	expect(printed).toContain(name);
	expect(printed).not.toContain("building");
	for (const value of Object.values(variables)) expect(printed).not.toContain(value);
});

interface Deploying {
	secrets?: string[];
	/** Added to the production vars in wrangler.toml. */
	vars?: string;
	target?: "production" | "demo";
}

async function deploy({ secrets = Object.keys(keys), vars = "", target = "production" }: Deploying): Promise<string> {
	await tool("wrangler", `echo '${JSON.stringify(secrets.map((name) => ({ name })))}'`);
	const toml = await readFile("wrangler.toml", "utf8");
	await writeFile(join(folder, "wrangler.toml"), toml.replace('SHOP_ID = "half-dozen"', `$&${vars}`));
	return print("deploy.ts", { CLOUDFLARE_ENV: target });
}

test("npm run deploy builds with the three keys", async () => {
	expect(await deploy({})).toBe("building\nCommand failed: react-router build --logLevel warn\n");
});

test.each<[string, Deploying, string]>([
	[
		"a missing key",
		{ secrets: Object.keys(keys).slice(1) },
		"run npx wrangler secret put STRIPE_SECRET_KEY --env production",
	],
	[
		"STRIPE_API_BASE among the secrets",
		{ secrets: [...Object.keys(keys), "STRIPE_API_BASE"] },
		"run npx wrangler secret delete STRIPE_API_BASE --env production",
	],
	[
		"STRIPE_API_BASE among the vars",
		{ vars: `, STRIPE_API_BASE = "${base}"` },
		"remove STRIPE_API_BASE from [env.production] in wrangler.toml",
	],
	[
		"a key among the vars",
		{ vars: ', STRIPE_SECRET_KEY = "sk_test_ofthisshop"' },
		"remove STRIPE_SECRET_KEY from [env.production] in wrangler.toml",
	],
	["no host for the demo", { target: "demo", secrets: [] }, "set STRIPE_EMULATOR_HOSTS in [env.demo.vars]"],
	["keys for the demo", { target: "demo" }, "run npx wrangler secret delete STRIPE_SECRET_KEY --env demo"],
])("npm run deploy with %s does not build and prints the fix", async (_, deploying, fix) => {
	const printed = await deploy(deploying);
	expect(printed).not.toContain("building");
	expect(printed).toContain(`Before deploying: ${fix}`);
	expect(printed).not.toContain("sk_test_ofthisshop");
});

test("the first npm run deploy prints how to set the three keys", async () => {
	await writeFile(join(folder, "wrangler.toml"), await readFile("wrangler.toml", "utf8"));
	await tool("wrangler", "echo 'This Worker does not exist on your account. [code: 10007]' >&2; exit 1");
	const printed = await print("deploy.ts");
	for (const name of Object.keys(keys)) {
		expect(printed).toContain(`Before deploying: run npx wrangler secret put ${name} --env production`);
	}
});

test("npm run deploy prints wrangler's error without a stack trace if Cloudflare is unreachable", async () => {
	await writeFile(join(folder, "wrangler.toml"), await readFile("wrangler.toml", "utf8"));
	await tool("wrangler", "echo 'Unable to resolve the hostname' >&2; exit 1");
	const printed = await print("deploy.ts");
	expect(printed).toContain("Unable to resolve the hostname");
	expect(printed).toContain("npx wrangler login");
	expect(printed).not.toMatch(/building|\n\s+at /);
});
