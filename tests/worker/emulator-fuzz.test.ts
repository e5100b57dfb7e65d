import fc from "fast-check";
import type Stripe from "stripe";
import { SECRET_KEY, WEBHOOK_SECRET } from "stripe-emulator/keys.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isForWorkerd } from "../support/mutated-request.ts";
import { type RawRequest, type RawResponse, sendRaw } from "../support/raw-request.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { anyStripeRequest, states } from "./fuzz/stripe-requests.ts";

const numRuns = Number(process.env["REQUESTS"] ?? (process.env["LONG"] ? 10_000 : 400));
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());

/** Method, path and status of each response, or "workerd" for a request that workerd may reject itself. */
const answers: string[] = [];

/** Metadata of every intent, which only a caller with the secret key may read. */
const metadata = { order: "metadata-for-the-server-alone" };

/** Creates an intent in this state. */
async function make(state: string): Promise<Stripe.PaymentIntent> {
	const { paymentIntents, refunds } = shop.stripe;
	const { id, ...intent } = await paymentIntents.create({
		...{ amount: 1499, currency: "usd", allowed_payment_method_types: ["card"] },
		metadata,
	});
	switch (state) {
		case "ready":
			return paymentIntents.update(id, { payment_method: "pm_card_visa" });
		case "asking":
			return paymentIntents.confirm(id, { payment_method: "pm_card_authenticationRequired" });
		case "declined":
			await paymentIntents.confirm(id, { payment_method: "pm_card_visa_chargeDeclined" }).catch(() => undefined);
			return paymentIntents.retrieve(id);
		case "paid":
			return paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
		case "refunded": {
			const paid = await make("paid");
			await refunds.create({ payment_intent: paid.id, amount: 100 });
			return paid;
		}
		case "canceled":
			return paymentIntents.cancel(id);
		default:
			return { id, ...intent };
	}
}

/** Replaces the placeholders in a request with values of new objects. Returns the request and the new intents. */
async function fill(asked: RawRequest): Promise<{ request: RawRequest; intents: Stripe.PaymentIntent[] }> {
	const { stripe, url } = shop;
	const intents = new Map<string, Stripe.PaymentIntent>();
	const intent = async (state: string) => {
		const made = intents.get(state) ?? (await make(state));
		intents.set(state, made);
		return made;
	};
	const find: Record<string, () => unknown> = {
		host: () => url.host,
		origin: () => url.origin,
		charge: async () => (await intent("paid")).latest_charge,
		challenge: async () => (await intent("asking")).next_action?.use_stripe_sdk?.["source"],
		refund: async () => (await stripe.refunds.list({ payment_intent: (await intent("refunded")).id })).data[0]?.id,
		event: async () => (await stripe.events.list({ limit: 1 })).data[0]?.id,
	};
	for (const state of states) {
		find[state] = async () => (await intent(state)).id;
		find[`${state} secret`] = async () => (await intent(state)).client_secret;
	}
	const values = new Map<string, string>();
	for (const [, name = ""] of JSON.stringify(asked).matchAll(/<<([a-z ]+)>>/g)) {
		if (find[name]) values.set(name, String(await find[name]()));
	}
	const put = (text: string) =>
		text.replaceAll(/<<([a-z ]+)>>/g, (unknown, name: string) => values.get(name) ?? unknown);
	const headers = asked.headers.map(([name, value]): [string, string] => [name, put(value)]);
	return {
		request: { ...asked, target: put(asked.target), headers, body: put(asked.body) },
		intents: [...intents.values()],
	};
}

/** Asserts the properties that every response must have. */
async function hold(asked: RawRequest, answer: RawResponse | null): Promise<void> {
	if (!answer) throw new Error("There was no answer.");
	const { status, headers } = answer;
	const body = await answer.text();
	const [path = ""] = asked.target.split("?");
	const name = path.replace(/^\/stripe-emulator/, "").replaceAll(/<<.*?>>/g, "*");
	const what = isForWorkerd(asked) ? "workerd" : `${asked.method} ${name} ${status}`;
	answers.push(what);
	if (isForWorkerd(asked) && /^(Internal Server Error|Bad Request|ERROR: .*|)$/.test(body)) return;

	expect(status, body).toBeLessThan(500);
	expect(Object.fromEntries(headers)).toMatchObject({
		"cross-origin-resource-policy": "same-origin",
		"x-content-type-options": "nosniff",
	});
	expect(body + JSON.stringify(headers)).not.toMatch(/\n\s+at |\.tsx?:\d|SQLITE|SqlError/);
	for (const secret of [SECRET_KEY, WEBHOOK_SECRET]) expect(body).not.toContain(secret);
	// every response of the API has this header
	const isApi = headers.some(([name]) => name === "request-id");
	if (!isApi) expect(body).not.toMatch(/pi_\w{9,}_secret_\w/);
	if (isApi && status >= 400 && asked.method !== "HEAD") {
		expect(JSON.parse(body)).toMatchObject({
			error: { type: expect.stringMatching(/_error$/), message: expect.any(String) },
		});
	}
	const isServer = asked.headers.some(([, value]) => value === `Bearer ${SECRET_KEY}`);
	if (isApi && !isServer) expect(body).not.toContain(metadata.order);
}

const open = ["requires_payment_method", "requires_confirmation", "requires_action"];
/** The statuses that an intent can have after one request, by its previous status. */
const next: Record<string, string[]> = {
	requires_payment_method: [...open, "processing", "succeeded", "canceled"],
	requires_confirmation: [...open, "processing", "succeeded", "canceled"],
	requires_action: [...open, "processing", "succeeded", "canceled"],
	processing: ["processing", "succeeded"],
	succeeded: ["succeeded"],
	canceled: ["canceled"],
};

/** Asserts that an intent is consistent and that one request can lead from its previous state to its current one. */
async function holdIntent(before: Stripe.PaymentIntent, status: number | undefined): Promise<void> {
	const intent = await shop.stripe.paymentIntents.retrieve(before.id);
	expect(next[before.status]).toContain(intent.status);
	expect(intent.amount_received).toBe(intent.status === "succeeded" ? intent.amount : 0);
	expect(intent.canceled_at !== null).toBe(intent.status === "canceled");
	expect(intent.next_action !== null).toBe(intent.status === "requires_action");
	if (status !== undefined && status >= 400 && status !== 402) expect(intent).toEqual(before);
}

/** Asserts that each charge has refunded the amount of its refunds, and no more than its own amount. */
async function checkRefunds(): Promise<void> {
	const { charges, refunds } = shop.stripe;
	const refunded = new Map<unknown, number>();
	for await (const { charge, amount, status } of refunds.list({ limit: 100 })) {
		if (status !== "failed") refunded.set(charge, (refunded.get(charge) ?? 0) + amount);
	}
	for await (const charge of charges.list({ limit: 100 })) {
		expect(charge.amount_refunded).toBe(refunded.get(charge.id) ?? 0);
		expect(charge.amount_refunded).toBeLessThanOrEqual(charge.paid ? charge.amount_captured : 0);
	}
}

test(`no random request causes a 500, leaks a secret or corrupts an intent (SEED=${seed} REQUESTS=${numRuns})`, {
	timeout: 60 * 60_000,
}, async () => {
	await fc.assert(
		fc.asyncProperty(anyStripeRequest, async (asked) => {
			const { request, intents } = await fill(asked);
			// a reset deletes the charges and refunds
			if (asked.body.includes("reset")) await checkRefunds();
			const answer = await sendRaw(shop.url, request);
			// removes the faults that this request set
			if (asked.target.includes("controls")) await shop.control({ control: "calm" });
			await hold(asked, answer);
			for (const intent of intents) await holdIntent(intent, answer?.status);
		}),
		{ numRuns, seed },
	);
});

test.runIf(numRuns >= 1000)("random requests reach both success and error responses", () => {
	const times = (what: RegExp) => answers.filter((answer) => what.test(answer)).length;
	expect(answers).toEqual(
		expect.arrayContaining([
			...["GET /v1/payment_intents/* 200", "POST /v1/three_d_secure/*/answer 200"],
			...[200, 400, 402].map((status) => `POST /v1/payment_intents/*/confirm ${status}`),
			...["POST /controls 200", "POST /controls 303", "POST /controls 400", "GET /state 200"],
		]),
	);
	expect(times(/^POST \/v1\/(payment_intents|refunds).* 200$/)).toBeGreaterThan(numRuns / 100);
	expect(times(/^workerd$/)).toBeLessThan(numRuns / 10);
});

test("no charge has refunded more than its amount", checkRefunds);

test("the log of the random requests contains no internal errors and no keys", () => {
	// ignores the URLs of malformed requests, which workerd itself logs
	const bad = /^(?!Uncaught exception: kj\/).*(Stripe emulator, req_|"event":"error"|sk_test_|whsec_|_secret_)/;
	expect(
		shop
			.logs()
			.split("\n")
			.filter((line) => bad.test(line)),
	).toEqual([]);
});

test.each(["length, breaks off", "chunks, break off"] as const)(
	"a truncated body (%s) returns 400, or 404 for an unknown path",
	async (framing) => {
		const headers: [string, string][] = [
			["Host", shop.url.host],
			["Authorization", `Bearer ${SECRET_KEY}`],
			["Content-Type", "application/x-www-form-urlencoded"],
		];
		const paths = ["/v1/payment_intents", "/v1/charges", "/controls", "/nothing"];
		const answers = paths.map(async (path) => {
			const target = `/stripe-emulator${path}`;
			return (await sendRaw(shop.url, { method: "POST", target, headers, body: "amount=500&currency=usd", framing }))
				?.status;
		});
		expect(await Promise.all(answers)).toEqual([400, 400, 400, 404]);
	},
);
