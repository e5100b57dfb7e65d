import { vi } from "vitest";
import { currency } from "#app/brand.ts";
import { signItems } from "#app/payments/shop-signature.server.ts";
import { openPayments } from "#app/payments/stripe-api.server.ts";
import type { Services } from "../../app/http/services.server.ts";
import * as catalogue from "./catalogue.ts";
import { now, OrderDatabase } from "./unit-orders.ts";
import { openRequest, refuse, stripe } from "./unit-request.ts";

export { now };

const metadata: Record<string, string> = { shop: "half-dozen" };

/** A PaymentIntent for the book that has not been paid. */
export const unpaid = {
	...{ id: "pi_1", object: "payment_intent", client_secret: "pi_1_secret_1", created: now - 600, currency },
	...{ amount: 1196, amount_received: 0, status: "requires_payment_method", latest_charge: null },
	metadata,
};
/** The same PaymentIntent after its payment. */
export const succeeded = { ...unpaid, amount_received: 1196, status: "succeeded" };

type Call = "retrieve" | "create" | "update" | "cancel" | "list refunds" | "list more refunds";
const names = new Map<string, Call>([
	["GET /v1/payment_intents/pi_1?expand[0]=latest_charge", "retrieve"],
	["POST /v1/payment_intents", "create"],
	["POST /v1/payment_intents/pi_1/cancel", "cancel"],
	["POST /v1/payment_intents/pi_1", "update"],
	["GET /v1/refunds?payment_intent=pi_1&limit=100", "list refunds"],
	["GET /v1/refunds?payment_intent=pi_1&limit=100&starting_after=re_1", "list more refunds"],
]);

/** Opens a shop with the customers ada and ben and without orders. A Stripe call fails unless `responses` has its
 *  response. */
export function openShop(given: Partial<Services> = {}) {
	const { sqlite, d1, primary, failures } = new OrderDatabase();
	const responses: Partial<Record<Call, () => Response | Promise<Response>>> = {};
	/** The calls to Stripe, with their bodies. */
	const calls: string[] = [];
	/** The headers of these calls. */
	const headers: Headers[] = [];
	/** The customers whose feed was notified. */
	const notified: string[] = [];
	const logged: object[] = [];
	for (const level of ["info", "error"] as const) {
		vi.spyOn(console, level).mockImplementation((line) => logged.push({ level, ...JSON.parse(line) }));
	}
	const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
		const request = new Request(input, init);
		const { pathname, search } = new URL(request.url);
		const route = decodeURIComponent(`${request.method} ${pathname}${search}`);
		const name = names.get(route);
		calls.push(`${name ?? route} ${decodeURIComponent(await request.text())}`.trim());
		headers.push(request.headers);
		return (name ? responses[name] : undefined)?.() ?? failure(400, { message: `${route} has no response.` })();
	};
	const { services } = openRequest("/", "", undefined, {
		...{ now: () => now, stripe: { ...stripe, fetch }, d1 },
		orderFeed: (userId) => {
			const notify = async () => void notified.push(userId);
			return { fetch: refuse, disconnect: refuse, notify };
		},
		...given,
	});
	/** The work that continues after the response. */
	const works: Promise<void>[] = [];
	const waitUntil = (work: Promise<void>) => void works.push(work);
	const databases = { primary };
	const payments = openPayments({ services, databases, waitUntil });
	return {
		...{ services, primary, databases, payments, sqlite, responses, calls, headers, notified, logged, failures },
		...{ works, waitUntil },
		orders: () => sqlite.all("select * from orders order by payment_intent_id"),
		items: () => sqlite.all("select * from order_items order by payment_intent_id, position"),
		refunds: () => sqlite.all("select * from refunds order by payment_intent_id, id"),
		/** Stores an order for two books and a mixer. Returns its row with all columns. */
		storeOrder(order: Record<string, string | number | null | undefined> = {}) {
			const row = {
				...{ payment_intent_id: "pi_1", user_id: "ada", guest_token_hash: null, amount: 1196, status: "placed" },
				...{ created: now - 600, placed_at: now - 500, due_at: now - 400, currency },
				...order,
			};
			const stored = sqlite.insert("orders", row);
			const items = [
				{ product_id: catalogue.book.id, title: "Book", price_cents: 598, rating: 5, quantity: 2 },
				{ product_id: catalogue.mixer.id, title: "Mixer", price_cents: 23900, rating: 4, quantity: 1 },
			];
			for (const [position, item] of items.entries()) {
				sqlite.insert("order_items", { payment_intent_id: row.payment_intent_id, position, image: "", ...item });
			}
			return stored;
		},
		/** Sets the PaymentIntent at Stripe. Returns it as the SDK does. */
		async intent(state: object) {
			const { metadata, ...rest } = { ...unpaid, ...state };
			responses.retrieve = success({ ...rest, metadata: signed(metadata) });
			const intent = await payments.stripe.paymentIntents.retrieve("pi_1", { expand: ["latest_charge"] });
			calls.length = 0;
			return intent;
		},
		/** Sets the refunds of the PaymentIntent at Stripe, newest first. */
		listRefunds(...refunds: { id?: string; amount?: number; status?: string }[]): void {
			const refund = { id: "re_1", object: "refund", amount: 1196, status: "succeeded", created: now };
			responses["list refunds"] = success({ object: "list", data: refunds.map((given) => ({ ...refund, ...given })) });
		},
	};
}
export type Shop = ReturnType<typeof openShop>;

/** Returns metadata with the shop's signature of its items, if it has items and no signature. */
function signed(metadata: Record<string, string>) {
	const items = metadata["items"];
	return items ? { items_signature: signItems(stripe, "pi_1", items), ...metadata } : metadata;
}

/** Returns a Stripe response. */
export const success = (body: object) => () => Response.json(body);

/** Returns an error response of Stripe. */
export const failure = (status: number, error: object) => () =>
	Response.json({ error: { type: "invalid_request_error", ...error } }, { status });
