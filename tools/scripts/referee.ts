// `npm run referee`, after the build: makes every kind of call that the shop makes to Stripe to another server that
// speaks Stripe's API (STRIPE_API_BASE, or stripe-mock where it listens by itself), and lists what that refuses. Ends
// with 1 when something is refused, and with 0 when nobody is there to ask.
import Stripe from "stripe";
import { findOrigin } from "#app/payments/stripe-account.server.ts";
import { recordStripeCalls, type StripeCall } from "./stripe-calls.ts";
import { readDevVars } from "./stripe-keys.ts";

/** Milliseconds for one answer. */
const patience = 10_000;

const base = process.env["STRIPE_API_BASE"] || readDevVars()["STRIPE_API_BASE"] || "http://127.0.0.1:12111";
const origin = findOrigin(base);
if (origin === null) {
	console.error("Set STRIPE_API_BASE to an http(s) URL without a path, or to nothing for http://127.0.0.1:12111.");
	process.exit(1);
}
if (!(await somebodyAnswers(origin))) {
	console.info(
		`Nothing answers at ${origin}, so nothing was compared; start stripe-mock with "docker run --rm -p 12111:12111 ` +
			`stripe/stripe-mock" or "go install github.com/stripe/stripe-mock@latest && stripe-mock", then ask again.`,
	);
	process.exit(0);
}

const calls = await recordStripeCalls();
let refused = 0;
for (const call of calls) {
	const refusal = await findRefusal(origin, call);
	if (refusal !== null) refused++;
	const line = `${call.method} ${call.path} (${Object.keys(call.params).join(", ")})`;
	console.info(refusal === null ? `accepted  ${line}` : `REFUSED   ${line}: ${refusal}`);
}
console.info(`${calls.length} kinds of call to ${origin}: ${calls.length - refused} accepted, ${refused} refused.`);
process.exitCode = refused === 0 ? 0 : 1;

async function somebodyAnswers(origin: string): Promise<boolean> {
	try {
		await fetch(origin, { signal: AbortSignal.timeout(patience) });
		return true;
	} catch {
		return false;
	}
}

/** What the server says against a call, or null. That it does not know an id is nothing against the call: the id comes
 *  from the emulator. */
async function findRefusal(origin: string, { method, path, params }: StripeCall): Promise<string | null> {
	const form = new URLSearchParams(params);
	const headers = { Authorization: "Bearer sk_test_123", "Stripe-Version": Stripe.API_VERSION };
	const signal = AbortSignal.timeout(patience);
	try {
		const answer =
			method === "GET"
				? await fetch(`${origin}${path}?${form}`, { headers, signal })
				: await fetch(`${origin}${path}`, {
						method,
						headers: { ...headers, "Idempotency-Key": crypto.randomUUID() },
						body: form,
						signal,
					});
		if (answer.ok) return null;
		const { code, message } = errorIn(await answer.text());
		if (answer.status === 404 && code === "resource_missing") return null;
		return `${answer.status} ${message}`;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

function errorIn(text: string): { code: unknown; message: unknown } {
	try {
		const { code, message } = Object(Object(JSON.parse(text)).error);
		return { code, message: message ?? "without a message" };
	} catch {
		return { code: undefined, message: "and no JSON" };
	}
}
