// `npm run referee`, after the build: takes one call of each kind that the shop makes to Stripe, sends it to another
// implementation of Stripe's API (STRIPE_API_BASE, or stripe-mock at its default port), and lists the calls that are
// rejected. Exits with 1 if any call is rejected, and with 0 if no server is listening.
import Stripe from "stripe";
import { findOrigin } from "#app/payments/stripe-account.server.ts";
import { recordStripeCalls, type StripeCall } from "./stripe-calls.ts";
import { readDevVars } from "./stripe-keys.ts";

/** Timeout per request, in milliseconds. */
const timeout = 10_000;

const base = process.env["STRIPE_API_BASE"] || readDevVars()["STRIPE_API_BASE"] || "http://127.0.0.1:12111";
const origin = findOrigin(base);
if (origin === null) {
	console.error("Set STRIPE_API_BASE to an http(s) URL without a path, or unset it to use http://127.0.0.1:12111.");
	process.exit(1);
}
if (!(await isListening(origin))) {
	console.info(
		`No server is listening at ${origin}. Start stripe-mock with "docker run --rm -p 12111:12111 stripe/stripe-mock" ` +
			`or "go install github.com/stripe/stripe-mock@latest && stripe-mock", then run this again.`,
	);
	process.exit(0);
}

const calls = await recordStripeCalls();
let rejected = 0;
for (const call of calls) {
	const rejection = await findRejection(origin, call);
	if (rejection !== null) rejected++;
	const line = `${call.method} ${call.path} (${Object.keys(call.params).join(", ")})`;
	console.info(rejection === null ? `accepted  ${line}` : `REJECTED  ${line}: ${rejection}`);
}
console.info(`${calls.length} kinds of call to ${origin}: ${calls.length - rejected} accepted, ${rejected} rejected.`);
process.exitCode = rejected === 0 ? 0 : 1;

async function isListening(origin: string): Promise<boolean> {
	try {
		await fetch(origin, { signal: AbortSignal.timeout(timeout) });
		return true;
	} catch {
		return false;
	}
}

/** Returns why the server rejects a call, or null if it accepts it. An unknown id is not a rejection, because ids come
 *  from the emulator. */
async function findRejection(origin: string, { method, path, params }: StripeCall): Promise<string | null> {
	const form = new URLSearchParams(params);
	const headers = { Authorization: "Bearer sk_test_123", "Stripe-Version": Stripe.API_VERSION };
	const signal = AbortSignal.timeout(timeout);
	try {
		const response =
			method === "GET"
				? await fetch(`${origin}${path}?${form}`, { headers, signal })
				: await fetch(`${origin}${path}`, {
						method,
						headers: { ...headers, "Idempotency-Key": crypto.randomUUID() },
						body: form,
						signal,
					});
		if (response.ok) return null;
		const { code, message } = parseError(await response.text());
		if (response.status === 404 && code === "resource_missing") return null;
		return `${response.status} ${message}`;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

function parseError(text: string): { code: unknown; message: unknown } {
	try {
		const { code, message } = Object(Object(JSON.parse(text)).error);
		return { code, message: message ?? "without an error message" };
	} catch {
		return { code: undefined, message: "without JSON" };
	}
}
