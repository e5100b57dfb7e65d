import { execFile } from "node:child_process";
import { glob, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { recordStripeCalls } from "../../tools/scripts/stripe-calls.ts";
import { listen } from "../support/listen.ts";

interface Reply {
	status: number;
	error?: { code?: string; message: string };
}

/** Decides the fake Stripe server's response to a call. */
type Judge = (call: string, parameters: URLSearchParams) => Reply;

const accepts: Judge = () => ({ status: 200 });
let judge: Judge;
let heard: { call: string; headers: IncomingMessage["headers"]; names: string[] }[] = [];
const server = createServer(async (request, response) => {
	let body = "";
	for await (const chunk of request.setEncoding("utf8")) body += chunk;
	const call = `${request.method} ${request.url?.replace(/pi_\w+/, "{intent}").replace(/\?.*/, "")}`;
	const parameters = new URLSearchParams(request.method === "GET" ? request.url?.split("?")[1] : body);
	const { status, error } = judge(call, parameters);
	if (call !== "GET /") heard.push({ call, headers: request.headers, names: [...parameters.keys()] });
	response.writeHead(status, { "Content-Type": "application/json" });
	response.end(JSON.stringify(error ? { error } : {}));
});
let base: string;
beforeAll(async () => {
	base = `http://127.0.0.1:${await listen(server)}`;
});
beforeEach(() => {
	heard = [];
});
afterAll(() => server.close());

function referee(STRIPE_API_BASE: string): Promise<{ code: number | null; output: string }> {
	return new Promise((resolve) => {
		const env = { ...process.env, STRIPE_API_BASE };
		const child = execFile(process.execPath, ["tools/scripts/referee.ts"], { env }, (_, stdout, stderr) =>
			resolve({ code: child.exitCode, output: stdout + stderr }),
		);
	});
}

test("the referee makes every kind of call with the shop's method, path and parameters, as the SDK sends it", async () => {
	judge = accepts;
	const { code, output } = await referee(base);
	expect(output).toMatch(
		new RegExp(`^${heard.length} kinds of call to ${base}: ${heard.length} accepted, 0 refused.$`, "m"),
	);
	expect(code).toBe(0);
	expect(heard.map(({ call, names }) => [call, names])).toEqual(
		expect.arrayContaining([
			["POST /v1/payment_intents", ["amount", "currency", "allowed_payment_method_types[0]", "metadata[shop]"]],
			["GET /v1/payment_intents/{intent}", ["expand[0]"]],
			["POST /v1/payment_intents/{intent}", ["metadata[user_id]", "metadata[guest_token_hash]", "metadata[items]"]],
			["POST /v1/payment_intents/{intent}/cancel", ["cancellation_reason"]],
			["POST /v1/refunds", ["payment_intent", "metadata[shop]"]],
			["GET /v1/events", expect.arrayContaining(["types[0]", "limit", "ending_before"])],
		]),
	);
	const kinds = heard.map(({ call, names }) => [call, ...names.toSorted()].join(" "));
	expect(kinds).toEqual([...new Set(kinds)]);
	// the browser makes this call, not the shop
	expect(output).not.toContain("/confirm");
	for (const { call, headers } of heard) {
		expect(headers).toMatchObject({ authorization: "Bearer sk_test_123", "stripe-version": "2026-10-28.endive" });
		if (call.startsWith("POST")) expect(headers["idempotency-key"]).toMatch(/^[\w-]{36}$/);
	}
});

test("the referee lists refusals with their reasons, exits with 1 and ignores unknown ids", async () => {
	judge = (call, parameters) => {
		if (parameters.has("cancellation_reason")) {
			return { status: 400, error: { message: "Received unknown parameter: cancellation_reason" } };
		}
		if (!call.includes("{intent}")) return { status: 200 };
		return { status: 404, error: { code: "resource_missing", message: "No such payment_intent" } };
	};
	const { code, output } = await referee(base);
	expect(code).toBe(1);
	expect(output.match(/^REFUSED .*$/gm)).toEqual([
		expect.stringMatching(/POST \S+\/cancel .*: 400 Received unknown parameter: cancellation_reason$/),
	]);
	expect(output).toMatch(/^\d+ kinds of call to .*, 1 refused\.$/m);
});

test("the referee counts an unknown URL, a 402 and a 500 as refusals", async () => {
	const statuses = [404, 402, 500];
	judge = (call) =>
		call === "GET /" ? { status: 200 } : { status: statuses.shift() ?? 200, error: { message: "No." } };
	const { code, output } = await referee(base);
	expect(code).toBe(1);
	expect(output.match(/^REFUSED .*$/gm)?.map((line) => line.slice(-7))).toEqual(["404 No.", "402 No.", "500 No."]);
});

test("the referee prints how to start stripe-mock and exits with 0 if no server is running", async () => {
	const { code, output } = await referee("http://127.0.0.1:9");
	expect(code).toBe(0);
	expect(output.trim().split("\n")).toEqual([
		expect.stringMatching(/^Nothing answers at http:\/\/127\.0\.0\.1:9, .*docker run .*stripe-mock.*go install/),
	]);
});

test("the referee exits with 1 if STRIPE_API_BASE is not a URL", async () => {
	expect(await referee("127.0.0.1:12111")).toMatchObject({
		code: 1,
		output: expect.stringContaining("STRIPE_API_BASE"),
	});
});

test("the referee makes every Stripe call that is in the shop's source", async () => {
	const written = new Set<string>();
	for await (const file of glob("app/**/*.{ts,tsx}")) {
		const source = await readFile(file, "utf8");
		for (const [, resource = "", method = ""] of source.matchAll(/\bstripe\s*\.(\w+)\s*\.(\w+)\(/g)) {
			if (resource !== "webhooks") written.add(`${snakeCase(resource)}.${snakeCase(method)}`);
		}
	}
	expect([...written]).toContain("payment_intents.cancel");
	const made = (await recordStripeCalls()).map(({ endpoint }) => endpoint);
	expect([...written].filter((endpoint) => !made.includes(endpoint))).toEqual([]);
});

function snakeCase(name: string): string {
	return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
