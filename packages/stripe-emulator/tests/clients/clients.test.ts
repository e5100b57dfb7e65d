import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openReceiver, type Receiver } from "../support/receiver.ts";
import { runCli, type Standalone, startStandalone } from "../support/standalone.ts";

// Real clients of the standalone server, which is started once.

let receiver: Receiver;
let server: Standalone;
let webhook: { PAYLOAD: string; SIGNATURE: string };
const folder = mkdtempSync(join(tmpdir(), "stripe-emulator-test-"));

beforeAll(async () => {
	receiver = await openReceiver();
	const types = ["--events", "payment_intent.created"];
	server = await startStandalone("--state", folder, "--webhook", receiver.url("/webhook"), ...types);
	const body = new URLSearchParams({ amount: "500", currency: "usd" });
	const next = receiver.next();
	await fetch(`${server.url}/v1/payment_intents`, { method: "POST", headers: bearer, body });
	const { body: PAYLOAD, headers } = await next;
	webhook = { PAYLOAD, SIGNATURE: String(headers["stripe-signature"]) };
});
afterAll(async () => {
	receiver?.close();
	await server?.stop();
	rmSync(folder, { recursive: true, force: true });
});

const bearer = { Authorization: "Bearer rk_test_any" };

const clients = [
	{ name: "stripe-node", program: process.execPath, script: "client.ts", probe: ["--version"], calls: 21 },
	{ name: "curl", program: "sh", script: "client.sh", probe: ["-c", "command -v curl"], calls: 15 },
	{
		name: "stripe-python",
		program: "/usr/bin/python3",
		script: "client.py",
		probe: ["-c", "import stripe"],
		calls: 21,
	},
];

describe.concurrent.each(clients)("$name", ({ name, program, script, probe, calls }) => {
	test(`all ${calls} calls succeed`, async ({ skip }) => {
		const run = promisify(execFile);
		const missing = await run(program, probe).then(
			() => false,
			() => true,
		);
		if (missing) skip(`This machine has no ${name}: "${[program, ...probe].join(" ")}" fails.`);
		const env = { ...process.env, ...webhook, PORT: new URL(server.url).port };
		const { stdout } = await run(program, [fileURLToPath(new URL(script, import.meta.url))], { env });
		const lines = stdout.trim().split("\n");
		expect(lines.filter((line) => !line.startsWith("ok "))).toEqual([]);
		expect(lines).toHaveLength(calls);
	});
});

test("the start prints the URLs, the keys, the webhook secret and the folder of the state", () => {
	expect(server.output()).toContain(`${server.url}/v1`);
	for (const part of ["sk_test_emulator", "pk_test_emulator", "whsec_emulator", receiver.url("/webhook"), folder]) {
		expect(server.output()).toContain(part);
	}
});

test("the console, Stripe.js and the frames are served at the root, and pages of other origins can use them", async () => {
	const get = (path: string) => fetch(server.url + path);
	expect(await (await get("/")).text()).toContain("<title>Stripe emulator</title>");
	expect((await get("/stripe.js")).headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
	const policy = (await get("/card-frame")).headers.get("Content-Security-Policy");
	expect(policy).toContain(`connect-src ${server.url}/v1/`);
	expect(policy).toContain("frame-ancestors http: https:");
	expect((await get("/elsewhere")).status).toBe(404);
});

test.concurrent.each([
	[["--port", "many"], 2, "--port is not a port number"],
	[["--prot", "1"], 2, "Unknown option '--prot'"],
	[["--webhook", "localhost:3000"], 2, "--webhook is not an http or https URL: localhost:3000"],
	[["--webhook", "http://localhost", "--events", "payment_intent.succeded"], 2, "payment_intent.succeded. Types:"],
	[["--events", "refund.failed"], 2, "--events requires --webhook"],
	[["--help"], 0, "Usage: stripe-emulator [options]"],
	[["--version"], 0, "0.1.0"],
])("%j ends with status %d", async (args, status, message) => {
	const ended = await runCli(...args);
	expect(ended.status).toBe(status);
	expect(ended.output).toContain(message);
});

test("a port in use is reported", async () => {
	const { port } = new URL(server.url);
	expect(await runCli("--port", port)).toEqual({
		status: 1,
		output: expect.stringContaining(`Port ${port} is in use.`),
	});
});

test("the account in the state folder survives a restart, and --host 0.0.0.0 accepts any host name", async () => {
	const list = async () => (await fetch(`${server.url}/v1/payment_intents?limit=1`, { headers: bearer })).json();
	const before = await list();
	await server.stop();
	server = await startStandalone("--state", folder, "--host", "0.0.0.0");
	expect(await list()).toEqual(before);
	expect(before).toMatchObject({ data: [{ object: "payment_intent" }] });
	const headers = ["--header", "Host: emulator.internal"];
	const { stdout } = await promisify(execFile)("curl", ["-s", ...headers, `${server.url}/state`]);
	expect(JSON.parse(stdout)).toHaveProperty("journal");
});
