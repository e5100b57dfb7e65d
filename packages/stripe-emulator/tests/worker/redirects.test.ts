import type Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authenticate, confirmInBrowser, control, create, host, refusal, state, stripe } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "drop" }));
afterAll(() => control({ control: "calm" }));

const return_url = "https://shop.example/paid?order=7";
const params = {
	...{ amount: 1499, currency: "gbp", confirm: true, payment_method: "pm_card_authenticationRequired", return_url },
} satisfies Stripe.PaymentIntentCreateParams;

/** Returns the path and query of the page on which the customer authenticates. */
function pageOf({ next_action }: Stripe.PaymentIntent): string {
	const { pathname, search } = new URL(next_action?.redirect_to_url?.url ?? "");
	return pathname + search;
}

const choose = (page: string, outcome: "complete" | "fail") =>
	host.fetch(page, { method: "POST", body: new URLSearchParams({ outcome }) });

test("a server's confirmation without return_url is refused if the intent accepts redirects", async () => {
	const { return_url: _, ...without } = params;
	const error = await refusal(stripe.paymentIntents.create(without));
	expect(error).toMatchObject({ statusCode: 400, param: "return_url", message: expect.stringContaining("return_url") });
	const { id } = await stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
	const payment_method = "pm_card_visa";
	expect(await refusal(stripe.paymentIntents.confirm(id, { payment_method }))).toMatchObject({ param: "return_url" });
	expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: "requires_payment_method" });
	const confirmed = await stripe.paymentIntents.confirm(id, { payment_method, return_url });
	expect(confirmed).toMatchObject({ status: "succeeded" });
});

test.each<[string, Partial<Stripe.PaymentIntentCreateParams>]>([
	["allow_redirects is never", { automatic_payment_methods: { enabled: true, allow_redirects: "never" } }],
	["only cards are allowed", { allowed_payment_method_types: ["card"] }],
	["Stripe.js handles the next action", { use_stripe_sdk: true }],
])("a server confirms without return_url if %s", async (_, options) => {
	const { return_url: _url, ...without } = params;
	expect(await stripe.paymentIntents.create({ ...without, ...options })).toMatchObject({
		status: "requires_action",
		next_action: { type: "use_stripe_sdk" },
	});
});

test("a browser confirms without return_url", async () => {
	const intent = await stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
	const { body } = await confirmInBrowser(intent, { number: "4242424242424242" });
	expect(body.status).toBe("succeeded");
});

test.each([
	["complete", "succeeded", "succeeded"],
	["fail", "failed", "requires_payment_method"],
] as const)("a choice of %s on the bank's page redirects with %s", async (choice, redirect_status, status) => {
	const intent = await stripe.paymentIntents.create(params);
	expect(intent).toMatchObject({
		status: "requires_action",
		next_action: {
			type: "redirect_to_url",
			redirect_to_url: { return_url, url: expect.stringContaining(`${host.url.origin}/stripe-emulator/authenticate?`) },
		},
	});
	const page = await host.fetch(pageOf(intent));
	expect(page.status).toBe(200);
	expect(page.headers.get("Content-Security-Policy")).toMatch(
		/^default-src 'none';.* form-action 'self' https:\/\/shop\.example; frame-ancestors 'none'$/,
	);
	expect(page.headers.get("Cache-Control")).toBe("no-store");
	const text = await page.text();
	expect(text).toContain("£14.99");
	expect(text).not.toContain("<script");
	const chosen = await choose(pageOf(intent), choice);
	const query = new URLSearchParams({
		order: "7",
		payment_intent: intent.id,
		payment_intent_client_secret: intent.client_secret ?? "",
		redirect_status,
	});
	const location = `https://shop.example/paid?${query}`;
	expect([chosen.status, chosen.headers.get("Location")]).toEqual([303, location]);
	expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status });
	// the choice counts once, and the page redirects from then on
	const again = await choose(pageOf(intent), choice === "fail" ? "complete" : "fail");
	expect([again.status, again.headers.get("Location")]).toEqual([303, location]);
	const reloaded = await host.fetch(pageOf(intent));
	expect([reloaded.status, reloaded.headers.get("Location")]).toEqual([303, location]);
});

test("the bank's page can redirect to an app", async () => {
	const intent = await stripe.paymentIntents.create({ ...params, return_url: "shop-app://paid" });
	const page = await host.fetch(pageOf(intent));
	expect(page.headers.get("Content-Security-Policy")).toContain("form-action 'self' shop-app:;");
	const { headers } = await choose(pageOf(intent), "complete");
	expect(headers.get("Location")).toMatch(/^shop-app:\/\/paid\?payment_intent=pi_/);
});

test.each(["javascript:alert(1)", "javascript://x/%0aalert(1)", "data:text/html,x", "/paid", "https://", "x y://z"])(
	"return_url cannot be %s",
	async (url) => {
		const error = await refusal(stripe.paymentIntents.create({ ...params, return_url: url }));
		expect(error).toMatchObject({ statusCode: 400, code: "url_invalid", param: "return_url" });
	},
);

test("the bank's page requires the client secret", async () => {
	const page = pageOf(await stripe.paymentIntents.create(params));
	for (const path of [page.replace(/secret_\w+/, "secret_x"), "/stripe-emulator/authenticate?source=%22%3E"]) {
		const response = await host.fetch(path);
		expect(response.status).toBeGreaterThanOrEqual(400);
		expect(response.headers.get("Location")).toBeNull();
	}
});

test("the state does not contain the URL of the bank's page", async () => {
	await stripe.paymentIntents.create(params);
	expect(JSON.stringify(await state())).not.toMatch(/_secret_\w/);
});

test("the charge of an authenticated payment reports how it was authenticated", async () => {
	const intent = await create();
	await confirmInBrowser(intent, { number: "4000002760003184" });
	await authenticate(intent, "complete");
	const [charge] = (await stripe.charges.list({ payment_intent: intent.id })).data;
	expect(charge?.payment_method_details?.card).toMatchObject({
		electronic_commerce_indicator: "05",
		three_d_secure: { authentication_flow: "challenge", result: "authenticated", version: "2.2.0" },
	});
	const simple = await stripe.paymentIntents.confirm((await create()).id, {
		payment_method: "pm_card_visa",
		expand: ["latest_charge"],
	});
	expect(simple.latest_charge).toMatchObject({ payment_method_details: { card: { three_d_secure: null } } });
});
