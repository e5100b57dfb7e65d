import type { Page } from "@playwright/test";
import type Stripe from "stripe";
import { eventTypes } from "#app/payments/events.server.ts";
import { authenticatedCard } from "../../tests/support/bank.ts";
import { buyNow, declinedCard, goodCard, typeCard } from "../../tests/support/card.ts";
import { type Check, isLocal, NotRun, type Smoke, setKeys, timeout, Unmet, until } from "./smoke.ts";

/** A run of the cron begins every five minutes and takes at most three. */
const cronTimeout = 8 * 60_000;

/** The sources that Stripe.js needs in the Content-Security-Policy. */
const stripeHosts = ["js", "*.js", "hooks", "api"].map((host) => `https://${host}.stripe.com`);

/** The checks of a deployment, in the order in which they run. */
export const checks: Record<string, Check> = {
	redirect: {
		expected: "http to redirect to https",
		fix: "Turn on Always Use HTTPS for the domain.",
		async run(smoke) {
			const { protocol, host, origin } = smoke.target.address;
			if (protocol === "http:") throw new NotRun("the address is not https");
			const page = await smoke.open();
			const response = await page.goto(`http://${host}/robots.txt`);
			const first = await response?.request().redirectedFrom()?.response();
			const seen = `${first?.status() ?? "no redirect"}, then ${response?.status()} from ${page.url()}`;
			if (!first || !page.url().startsWith(`${origin}/`)) throw new Unmet(seen);
			return seen;
		},
	},
	account: {
		expected: "a new account to be signed in",
		fix: "If the picture shows Cloudflare's error 1102, subscribe to Workers Paid; otherwise, see the log.",
		async run(smoke) {
			await smoke.tab();
			return smoke.email;
		},
	},
	headers: {
		expected: "a new nonce for each page, HSTS, pictures that are stored, and orders that are not",
		fix: "Deploy with `npm run deploy`, which uploads public/_headers, and disable the zone's rules that change headers.",
		async run(smoke) {
			const page = await smoke.tab();
			const [picture = ""] =
				(await page.evaluate(async () => /\/pictures\/[\w.-]+/.exec(await (await fetch("/")).text()))) ?? [];
			const [home = {}, again = {}, image = {}, orders = {}] = await headersOf(page, "/", "/", picture, "/orders.data");
			const nonces = [home, again].map((headers) => /'nonce-[^']+'/.exec(headers["content-security-policy"] ?? ""));
			return expectMatches({
				nonces: [nonces.join(" then "), /^(\S+) then (?!\1$)\S+/],
				"Strict-Transport-Security": [home["strict-transport-security"], /max-age=\d{8}/],
				[`Cache-Control of ${picture}`]: [image["cache-control"], /max-age=\d{6}/],
				[`X-Content-Type-Options of ${picture}`]: [image["x-content-type-options"], /nosniff/],
				"Cache-Control of /orders.data": [orders["cache-control"], /no-store/],
			});
		},
	},
	pay: {
		expected: "a receipt for 4242 4242 4242 4242",
		fix: "See the picture, the browser's console and the log.",
		run: (smoke) => smoke.buy(),
	},
	metadata: {
		expected: "the payment to name the shop, the items and the customer",
		fix: "If Stripe does not know the payment, STRIPE_SECRET_KEY here is not the key of the shop's account.",
		async run(smoke) {
			const { metadata } = await smoke.stripe.paymentIntents.retrieve(await smoke.order());
			const { shop, items, items_signature, user_id } = metadata;
			const signed = { items_signature: [items_signature, /./], user_id: [user_id, /./] } as const;
			return expectMatches({ shop: [shop, /./], items: [items, /^\w+:1:\d+$/], ...signed });
		},
	},
	decline: {
		expected: "two declined cards to keep the basket, and a good one to pay the same PaymentIntent",
		fix: "Test cards are declined as expected only in test mode.",
		async run(smoke) {
			const checkout = await smoke.checkOut(declinedCard);
			const { page } = checkout;
			for (const [message, next] of Object.entries({ declined: "4000000000009995", "insufficient funds": goodCard })) {
				await buyNow(page).click();
				await page.getByRole("alert").filter({ hasText: message }).waitFor();
				await page.getByRole("link", { name: "Basket, 1 item" }).waitFor();
				await typeCard(page, next);
			}
			return smoke.buy(checkout);
		},
	},
	"3-d-secure": {
		expected: "a failed and a closed authentication to charge nothing, and a complete one to pay",
		fix: "See the picture and the browser's console.",
		async run(smoke) {
			const checkout = await smoke.checkOut(authenticatedCard);
			const { page } = checkout;
			for (const button of ["#test-source-fail-3ds", '.LightboxModalClose, button[aria-label="Cancel"]']) {
				await buyNow(page).click();
				await pressInFrames(page, button);
				await page.getByRole("alert").filter({ hasText: "Nothing was charged" }).waitFor();
			}
			const [id] = await Promise.all([smoke.buy(checkout), pressInFrames(page, "#test-source-authorize-3ds")]);
			return id;
		},
	},
	feed: {
		expected: "an order to appear in another browser without a reload",
		fix: "See the responses of /orders/feed in the browser and in the log.",
		async run(smoke) {
			const page = await smoke.watchOrders();
			await page.evaluate(() => Object.assign(window, { isMarked: true }));
			const id = await smoke.buy();
			await page.locator("article", { hasText: id }).waitFor();
			if (!(await page.evaluate(() => "isMarked" in window))) throw new Unmet("a reload");
			return id;
		},
	},
	webhook: {
		expected: "the webhook to fulfill a payment whose tab was closed while Processing",
		fix: "At Stripe, under Developers, Webhooks, compare the endpoint's URL with the shop's, and its signing secret with STRIPE_WEBHOOK_SECRET.",
		async run(smoke) {
			const endpoint = smoke.target.stripe && (await endpointOf(smoke));
			if (endpoint) {
				const { status, enabled_events: enabled } = endpoint;
				const missing = eventTypes.filter((type) => !enabled.some((name) => name === type || name === "*"));
				if (status !== "enabled") throw new Unmet(`a ${status} endpoint`, `Enable ${endpoint.url} at Stripe.`);
				if (missing.length > 0)
					throw new Unmet("too few events", `Add ${missing.join(", ")} to ${endpoint.url} at Stripe.`);
			}
			const id = await smoke.buyAndLeave();
			await smoke.expectOrder(id);
			return id;
		},
	},
	resend: {
		expected: "an event that is sent again to be accepted and to change nothing",
		fix: "See the endpoint's failed deliveries at Stripe.",
		async run(smoke) {
			const { events } = smoke.stripe;
			const id = await smoke.order();
			const { data } = await events.list({ type: "payment_intent.succeeded", limit: 100 });
			const event = data.find(({ data: { object } }) => "id" in object && object.id === id);
			if (!event) throw new Unmet(`no event about ${id}`);
			const endpoint = await endpointOf(smoke);
			const to = endpoint ? { webhook_endpoint: endpoint.id } : { for_stripecli: "true" };
			// what `stripe events resend` calls
			await smoke.stripe.rawRequest("POST", `/v1/events/${event.id}/retry`, to);
			const countPending = async () => (await events.retrieve(event.id)).pending_webhooks;
			await until(countPending, (pending) => pending === 0, smoke.webhookTimeout);
			await smoke.expectOrder(id);
			return event.id;
		},
	},
	refunds: {
		expected: "a full refund to appear on /orders, and a partial one to leave its order paid",
		fix: "If the webhook check has passed, the endpoint lacks charge.refunded, refund.updated or refund.failed.",
		async run(smoke) {
			const { refunds } = smoke.stripe;
			const [full, partial] = [await smoke.order(), await smoke.order(1)];
			await refunds.create({ payment_intent: partial, amount: 1 });
			await refunds.create({ payment_intent: full });
			await smoke.expectOrder(full, (order) => order.includes("Refunded"));
			await smoke.expectOrder(partial, (order) => order.includes(partial) && !order.includes("Refunded"));
			return `${full} refunded, ${partial} paid`;
		},
	},
	cron: {
		expected: "the cron to fulfill a payment whose webhook was not sent",
		fix: "In Cloudflare's dashboard, see the past events of the Worker's cron trigger.",
		async run(smoke) {
			const endpoint = await endpointOf(smoke);
			if (!endpoint) throw new NotRun("there is no endpoint to disable: webhooks come from `stripe listen`");
			const { cron } = smoke.target;
			const disable = (disabled: boolean) => smoke.stripe.webhookEndpoints.update(endpoint.id, { disabled });
			await disable(true);
			try {
				const id = await smoke.buyAndLeave();
				if (cron) await (await smoke.open()).goto(cron.href);
				else smoke.print(`waiting  cron: ${endpoint.url} is disabled for at most ${cronTimeout / 60_000} minutes`);
				await smoke.expectOrder(id, undefined, cron ? timeout : cronTimeout);
				return id;
			} finally {
				await disable(false);
			}
		},
	},
	policy: {
		expected: "the Content-Security-Policy to allow Stripe's hosts, and to have refused nothing",
		fix: setKeys,
		async run(smoke) {
			if (smoke.refused.length > 0) throw new Unmet(smoke.refused.join(", "), "See the first check that has failed.");
			const page = await smoke.tab();
			const [home, script] = await headersOf(page, "/", "/stripe-emulator/stripe.js");
			const policy = home?.["content-security-policy"] ?? "no policy";
			// the emulator is on the shop's own host
			const isEmulated = script?.["content-type"]?.startsWith("text/javascript");
			const missing = isEmulated ? [] : stripeHosts.filter((host) => !policy.includes(host));
			if (missing.length > 0) throw new Unmet(`${policy} without ${missing.join(" ")}`);
			return policy;
		},
	},
};

/** Fetches paths of the page's origin. Returns the headers of the responses. */
function headersOf(page: Page, ...paths: string[]): Promise<Record<string, string>[]> {
	return page.evaluate(async (paths) => {
		const responses = await Promise.all(paths.map((path) => fetch(path, { cache: "no-store" })));
		return responses.map(({ headers }) => Object.fromEntries(headers));
	}, paths);
}

/** Returns the values in one line. Throws an Unmet with those that do not match. */
function expectMatches(values: Record<string, readonly [value: string | undefined, pattern: RegExp]>): string {
	const entries = Object.entries(values);
	const wrong = entries.filter(([, [value, pattern]]) => !pattern.test(value ?? ""));
	const describe = (all: typeof entries) => all.map(([name, [value = "none"]]) => `${name}: ${value}`).join("; ");
	if (wrong.length > 0) throw new Unmet(describe(wrong));
	return describe(entries);
}

/** Presses a button of the bank's page, in whichever frame it is, until it is gone: Stripe's test page ignores a click
 *  before its script has loaded. */
async function pressInFrames(page: Page, selector: string): Promise<void> {
	async function find() {
		for (const frame of page.frames()) {
			const button = frame.locator(selector).first();
			if (await button.isVisible().catch(() => false)) return button;
		}
		return null;
	}
	let wasPressed = false;
	async function press() {
		const button = await find();
		await button?.click({ timeout: 2000 });
		wasPressed ||= button !== null;
		return wasPressed && (await find()) === null ? "pressed" : `no effect of ${selector} of the bank's page`;
	}
	await until(press, (result) => result === "pressed", timeout);
}

/** Returns the shop's webhook endpoint at Stripe, or null if the Stripe CLI forwards the webhooks to a local shop. The
 *  emulator's is on localhost. */
async function endpointOf({ stripe, target }: Smoke): Promise<Stripe.WebhookEndpoint | null> {
	const url = new URL("/stripe/webhook", target.address).href;
	const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
	const endpoint = data.find((endpoint) => [url, "http://localhost/stripe/webhook"].includes(endpoint.url));
	if (endpoint || isLocal(target.address)) return endpoint ?? null;
	throw new Unmet("no endpoint", `Under Developers, Webhooks, add ${url} with ${eventTypes.join(", ")}.`);
}
