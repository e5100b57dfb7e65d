import { currency } from "#app/brand.ts";
import type { Created, FulfillRequest, PlaceRequest } from "#app/payments/shop-api.server.ts";
import type { BasketItem } from "#app/tab/basket.ts";
import { interceptedAdvice, isIntercepted } from "#app/tab/intercepted.ts";
import { isLike } from "#app/tab/is-like.ts";
import { type Confirmation, type Intent, isUsable, type Message, refunded } from "#app/tab/purchase.ts";
import type { TabEvent, TabState } from "#app/tab/tab-state.ts";
import { formatMoney } from "#app/ui/money.ts";
import { requestTimeout } from "#app/ui/timeout.ts";

// The requests of a purchase. Each resolves to the event that its response means, and never rejects.

interface Sending {
	fetch: typeof fetch;
	signal: AbortSignal;
}

/** Requests an intent for `total` cents. The server cancels the tab's previous intent, or reuses it if it may. */
export async function createIntent(sending: Sending, total: number, state: TabState): Promise<TabEvent> {
	const { intent } = state.purchase;
	const headers = {
		currency,
		...(intent && { "previous-client-secret": intent.clientSecret }),
		...(intent && !isUsable(intent, state) && { "cancel-previous": "true" }),
	};
	const body = await post(sending, `create?total=${total}`, { headers });
	const { code, message } = errorOf(body);
	if (isLike<Created>(body, { clientSecret: "", signature: "" })) return { ...body, type: "prepared" };
	if (intent && code === "payment_in_progress") return { type: code, at: performance.now() };
	return { type: "prepare_failed", message: { button: "try_again", ...notCharged(message, code) } };
}

/** Stores the order of the latest attempt. `customer` is the id of who is signed in, or null. */
export async function placeOrder(sending: Sending, intent: Intent, customer: string | null): Promise<TabEvent> {
	const { clientSecret, signature, currency, items } = intent;
	const productIds = items.map(({ id }) => id);
	const order: PlaceRequest = { clientSecret, signature, productIds, currency, customer };
	const body = await post(sending, "place", json(order));
	if (isLike(body, { status: "" }) && body.status === "placed") return { type: "placed" };
	const error = errorOf(body);
	const { code } = error;
	if (code === "price_changed" && isLike(body, { prices: {} })) {
		const prices = Object.fromEntries(Object.entries(body.prices).filter(isPrice));
		return { type: code, prices, message: notCharged(describeChanges(items, prices)) };
	}
	const message = notCharged(error.message, code);
	switch (code) {
		case "already_paid":
			return { type: "payment_in_progress", at: performance.now() };
		case "another_order":
			// this tab has not confirmed the payment of another order: the first poll may cancel it
			return { type: "payment_in_progress", at: Number.NEGATIVE_INFINITY };
		case "payment_intent_gone":
		case "unknown_payment_intent":
			return { type: "refused", message, reason: "intent_gone" };
		case "identity_changed":
			return { type: "refused", message, reason: code };
		default:
			return { type: "refused", message };
	}
}

/** Requests the payment's outcome, at one of its two addresses. With `cancel`, the server cancels the payment if it is
 *  still unpaid. */
export async function requestOutcome(
	sending: Sending,
	path: "fulfill" | "outcome",
	intent: Intent,
	cancel: boolean,
): Promise<TabEvent> {
	const { clientSecret, signature } = intent;
	const payment: FulfillRequest = { clientSecret, signature, ...(cancel && { cancel }) };
	const body = await post(sending, path, json(payment));
	const { code } = errorOf(body);
	const status = isLike(body, { status: "" }) ? body.status : undefined;
	if (status === "paid" && isLike(body, { created: 0 })) return { type: "paid", created: body.created };
	if (status === "refunded") return { type: "not_bought", message: refunded };
	if (code === "canceled") return { type: "not_bought", message: notCharged(notPaid) };
	// a payment that the shop cannot find may have been charged, for example with earlier keys
	const intentStatus = isLike(body, { intentStatus: "" }) ? body.intentStatus : null;
	const atBank = code === "not_paid" ? intentStatus === "requires_action" : null;
	return { type: "not_final", atBank, at: performance.now() };
}

/** Returns the response's JSON, or null if there was no response or it is not JSON. If something other than the shop
 *  has answered, returns an error with the code "intercepted". */
async function post({ fetch, signal }: Sending, path: string, init: RequestInit): Promise<unknown> {
	const timeout = new AbortController();
	const timer = setTimeout(() => timeout.abort(), requestTimeout);
	const either = AbortSignal.any([signal, timeout.signal]);
	try {
		const response = await fetch(`/payments/${path}`, { ...init, method: "POST", redirect: "manual", signal: either });
		return isIntercepted(response) ? { error: intercepted } : await response.json();
	} catch {
		return null;
	} finally {
		clearTimeout(timer);
	}
}

const intercepted = { code: "intercepted", message: interceptedAdvice };

function errorOf(body: unknown): { code?: string; message?: string } {
	return isLike(body, { error: { code: "", message: "" } }) ? body.error : {};
}

const isPrice = (entry: [string, unknown]): entry is [string, number] => isLike(entry[1], 0);

const json = (body: unknown) => ({ headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

// What the shopper is told, after the reason in the server's error, if any (payments/shop-api.server.ts). What all pages
// show is in tab/purchase.ts.

const notPaid = "Your payment did not go through.";

/** Returns the message of a payment that has certainly not been charged. `reason` says why; by default, there was no
 *  response. */
function notCharged(reason = "We couldn't reach the shop.", code?: string): Message {
	// Stripe's message about an invalid email is not punctuated
	const text = `${reason.replace(/\P{P}$/u, "$&.")} You have not been charged.`.trim();
	return code === intercepted.code || code === "currency_changed" ? { text, button: "load_page" } : { text };
}

/** The message of a confirmation that Stripe has refused because the intent no longer exists. */
export const expired = notCharged("This payment has expired. Please try again.");

/** Returns the message of a card that was declined, or that the bank has not confirmed. */
export function describeDecline({ code, message = notPaid }: NonNullable<Confirmation["error"]>): Message {
	if (code === "card_declined") return { text: `${message} Nothing was charged; try another card.` };
	if (code !== "payment_intent_authentication_failure") return notCharged(message);
	return { text: `${message} Nothing was charged; confirm the payment with your bank, or use another card.` };
}

/** Returns a sentence for each product whose price has changed or that is sold out. `prices` contains cents by
 *  product id. */
function describeChanges(items: readonly BasketItem[], prices: Readonly<Record<string, number>>): string {
	const changes = items.flatMap(({ id, title, priceCents }) => {
		const price = prices[id];
		if (price === undefined) return [`${title} is sold out.`];
		return price === priceCents ? [] : [`${title} now costs ${formatMoney(price)}.`];
	});
	return [...new Set(changes)].join(" ");
}
