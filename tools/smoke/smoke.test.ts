import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { listen } from "../../tests/support/listen.ts";
import { openSmoke, Unmet } from "./smoke.ts";

test("the browser receives no secret, and has a sandbox unless it does not start with one", async () => {
	const folder = await mkdtemp(join(tmpdir(), "half-dozen-smoke-"));
	const CHROMIUM = join(folder, "chromium");
	// never starts
	await writeFile(CHROMIUM, `#!/bin/sh\n(env; echo "started with $*") >> ${folder}/launches\nexit 1\n`, {
		mode: 0o755,
	});
	const script = `
		import { openSmoke } from "./tools/smoke/smoke.ts";
		const target = { address: new URL("https://shop.example.com"), stripe: null, cron: null };
		await openSmoke(target, console.info).catch(() => process.exit(0));
	`;
	const secrets = { STRIPE_SECRET_KEY: "sk_test_1", CLOUDFLARE_API_TOKEN: "1" };
	const env = { ...process.env, ...secrets, CHROMIUM };
	await promisify(execFile)("node", ["--input-type", "module", "-e", script], { env });
	const launches = await readFile(join(folder, "launches"), "utf8");
	await rm(folder, { recursive: true });
	// without the values, which a failure would print
	const variables = launches.match(/^\w+(?==)/gm);
	expect(variables).toContain("PATH");
	for (const name of Object.keys(secrets)) expect(variables).not.toContain(name);
	const started = launches.split("\n").filter((line) => line.startsWith("started with"));
	expect(started.map((line) => line.includes("--no-sandbox"))).toEqual([false, true]);
});

test("each account has a password of its own", async () => {
	const passwords: (string | null)[] = [];
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const part of request) body += part;
		const form = new URLSearchParams(body);
		if (request.method === "POST") passwords.push(form.get("password"));
		response.setHeader("Content-Type", "text/html").end(`
			Hello ${form.get("email")}
			<form method=post>
				<label>Email <input name=email></label>
				<label>Password <input name=password type=password></label>
				<button>Create account</button>
			</form>
		`);
	});
	const address = new URL(`http://localhost:${await listen(server)}`);
	for (const _ of ["first", "second"]) {
		const smoke = await openSmoke({ address, stripe: null, cron: null }, () => {});
		await smoke.tab();
		await smoke.close();
	}
	server.close();
	expect(passwords).toEqual([expect.stringMatching(/^[\w-]{36}$/), expect.stringMatching(/^[\w-]{36}$/)]);
	expect(new Set(passwords).size).toBe(2);
});

test("what a page says is printed in one line without control characters", async () => {
	const printed: string[] = [];
	const address = new URL("http://localhost");
	const smoke = await openSmoke({ address, stripe: null, cron: null }, (line) => void printed.push(line));
	const check = { expected: "a receipt", fix: "See the log." };
	const [seen, unmet] = ["\u001b[2J\u009b1A\u202e\npassed   pay", new Unmet("\u001b]0;title\u0007\r\u2028none")];
	await smoke.run("pay", { ...check, run: async () => seen });
	await smoke.run("feed", { ...check, run: () => Promise.reject(unmet) });
	await smoke.close();
	expect(printed).toEqual([
		"passed   pay: expected a receipt; saw  [2J 1A passed   pay",
		"failed   feed: expected a receipt; saw  ]0;title none. See the log.",
	]);
});
