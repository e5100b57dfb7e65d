import { execFile } from "node:child_process";
import { glob, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { recordStripeCalls } from "../../tools/scripts/stripe-calls.ts";
import { listen } from "../support/listen.ts";

interface StripeResponse {
	status: number;
	error?: { code?: string; message: string };
}

type Respond = (call: string, parameters: URLSearchParams) => StripeResponse;

const accept: Respond = () => ({ status: 200 });
let respond: Respond;
let received: { call: string; headers: IncomingMessage["headers"]; names: string[] }[] = [];
const server = createServer(async (request, response) => {
	let body = "";
	for await (const chunk of request.setEncoding("utf8")) body += chunk;
	const call = `${request.method} ${request.url?.replace(/pi_\w+/, "{intent}").replace(/\?.*/, "")}`;
	const parameters = new URLSearchParams(request.method === "GET" ? request.url?.split("?")[1] : body);
	const { status, error } = respond(call, parameters);
	if (call !== "GET /") received.push({ call, headers: request.headers, names: [...parameters.keys()] });
	response.writeHead(status, { "Content-Type": "application/json" });
	response.end(JSON.stringify(error ? { error } : {}));
});
let base: string;
beforeAll(async () => {
	base = `http://127.0.0.1:${await listen(server)}`;
});
beforeEach(() => {
	received = [];
});
afterAll(() => server.close());

function runReferee(STRIPE_API_BASE: string): Promise<{ code: number | null; output: string }> {
	return new Promise((resolve) => {
		const env = { ...process.env, STRIPE_API_BASE };
		const child = execFile(process.execPath, ["tools/scripts/referee.ts"], { env }, (_, stdout, stderr) =>
			resolve({ code: child.exitCode, output: stdout + stderr }),
		);
	});
}

test("npm run referee sends every kind of call with the shop's method, path, parameters and headers", async () => {
	respond = accept;
	const { code, output } = await runReferee(base);
	expect(output).toMatch(
		new RegExp(`^${received.length} kinds of call to ${base}: ${received.length} accepted, 0 rejected.$`, "m"),
	);
	expect(code).toBe(0);
	expect(received.map(({ call, names }) => [call, names])).toEqual(
		expect.arrayContaining([
			["POST /v1/payment_intents", ["amount", "currency", "allowed_payment_method_types[0]", "metadata[shop]"]],
			["GET /v1/payment_intents/{intent}", ["expand[0]"]],
			[
				"POST /v1/payment_intents/{intent}",
				["user_id", "guest_token_hash", "items", "items_signature"].map((key) => `metadata[${key}]`),
			],
			["POST /v1/payment_intents/{intent}/cancel", ["cancellation_reason"]],
			["POST /v1/refunds", ["payment_intent", "metadata[shop]"]],
			["GET /v1/events", expect.arrayContaining(["types[0]", "limit", "ending_before"])],
		]),
	);
	const kinds = received.map(({ call, names }) => [call, ...names.toSorted()].join(" "));
	expect(kinds).toEqual([...new Set(kinds)]);
	// sent by the browser, not by the shop's server
	expect(output).not.toContain("/confirm");
	for (const { call, headers } of received) {
		expect(headers).toMatchObject({ authorization: "Bearer sk_test_123", "stripe-version": "2026-10-28.endive" });
		if (call.startsWith("POST")) expect(headers["idempotency-key"]).toMatch(/^[\w-]{36}$/);
	}
});

test("npm run referee lists calls rejected with 400, 402, 404 or 500 and exits with 1, but accepts unknown ids", async () => {
	const statuses = [404, 402, 500];
	respond = (call, parameters) => {
		if (parameters.has("cancellation_reason")) {
			return { status: 400, error: { message: "Received unknown parameter: cancellation_reason" } };
		}
		const status = call === "GET /" ? 200 : statuses.shift();
		if (status) return { status, error: { message: "No." } };
		if (!call.includes("{intent}")) return { status: 200 };
		return { status: 404, error: { code: "resource_missing", message: "No such payment_intent" } };
	};
	const { code, output } = await runReferee(base);
	expect(code).toBe(1);
	const rejected = output.match(/^REJECTED .*$/gm) ?? [];
	expect(rejected.map((line) => line.replace(/^.*: /, "")).toSorted()).toEqual(
		["404 No.", "402 No.", "500 No.", "cancellation_reason"].toSorted(),
	);
	expect(rejected).toContainEqual(
		expect.stringMatching(/POST \S+\/cancel .*: 400 Received unknown parameter: cancellation_reason$/),
	);
	expect(output).toMatch(/^\d+ kinds of call to .*, 4 rejected\.$/m);
});

test("npm run referee without a server explains how to start stripe-mock and exits with 0", async () => {
	const { code, output } = await runReferee("http://127.0.0.1:9");
	expect(code).toBe(0);
	expect(output.trim().split("\n")).toEqual([
		expect.stringMatching(
			/^No server is listening at http:\/\/127\.0\.0\.1:9\. .*docker run .*stripe-mock.*go install/,
		),
	]);
});

test("npm run referee exits with 1 and names STRIPE_API_BASE if it is not a URL", async () => {
	expect(await runReferee("127.0.0.1:12111")).toMatchObject({
		code: 1,
		output: expect.stringContaining("STRIPE_API_BASE"),
	});
});

test("npm run referee makes every Stripe API call that the shop's source contains", async () => {
	const inSource = new Set<string>();
	for await (const file of glob("app/**/*.{ts,tsx}")) {
		const source = await readFile(file, "utf8");
		for (const [, resource = "", method = ""] of source.matchAll(/\bstripe\s*\.(\w+)\s*\.(\w+)\(/g)) {
			if (resource !== "webhooks") inSource.add(`${snakeCase(resource)}.${snakeCase(method)}`);
		}
	}
	expect([...inSource]).toContain("payment_intents.cancel");
	const sent = (await recordStripeCalls()).map(({ endpoint }) => endpoint);
	expect([...inSource].filter((endpoint) => !sent.includes(endpoint))).toEqual([]);
});

function snakeCase(name: string): string {
	return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
