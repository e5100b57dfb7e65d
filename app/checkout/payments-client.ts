import type { Customer } from "#app/auth/customer.server.ts";
import type { Intent } from "./purchase.ts";

// The browser's client of /payments/*. Every response is a value, and so is a lost one: nothing here throws.

export type Created =
	| { type: "created"; clientSecret: string; signature: string | undefined }
	/** The previous intent of this tab is being paid, or is paid. */
	| { type: "payment_in_progress" }
	| { type: "failed"; message: string };

export type Placed =
	| { type: "placed" }
	/** Cents by product id; a product that is missing has been withdrawn. */
	| { type: "price_changed"; prices: Record<string, number> }
	/** `code` is the server's, or empty when there was no response. */
	| { type: "refused"; code: string; message: string };

/** `at_bank`: not paid so far, because Stripe waits for the bank's dialog. `unknown`: there was no usable response. */
export type Fulfilled = "paid" | "refunded" | "canceled" | "at_bank" | "not_paid" | "unknown";

export interface PaymentsClient {
	/** Requests an intent for `total` cents in place of the previous one. */
	create(total: number, previous: Intent | null, signal: AbortSignal): Promise<Created>;
	place(intent: Intent, customer: Customer | null): Promise<Placed>;
	/** Polls the payment's outcome; with `cancel` the server cancels it first if it is unpaid. */
	fulfill(intent: Intent, cancel: boolean): Promise<Fulfilled>;
}

/** Milliseconds until a request is given up. */
const requestTimeout = 10_000;

export function createPaymentsClient(fetch: typeof globalThis.fetch): PaymentsClient {
	return {
		async create(total, previous, signal) {
			const headers = previous ? { "previous-client-secret": previous.clientSecret } : undefined;
			const { code, message, body } = await post(`create?total=${total}`, { headers, signal });
			const { clientSecret, signature } = body;
			if (typeof clientSecret === "string") {
				return { type: "created", clientSecret, signature: typeof signature === "string" ? signature : undefined };
			}
			return previous && code === "payment_in_progress" ? { type: code } : { type: "failed", message };
		},

		async place({ clientSecret, signature, attempt, items }, customer) {
			const productIds = items.map(({ id }) => id);
			const order = { clientSecret, signature, attempt, productIds, customer: customer?.id ?? null };
			const { code, message, body } = await post("place", json(order));
			if (body["status"] === "placed") return { type: "placed" };
			if (code === "price_changed") return { type: code, prices: pricesIn(body["prices"]) };
			return { type: "refused", code, message };
		},

		async fulfill({ clientSecret, signature }, cancel) {
			const { code, body } = await post("fulfill", json({ clientSecret, signature, ...(cancel && { cancel }) }));
			const { status } = body;
			if (status === "paid" || status === "refunded") return status;
			// Stripe has no such payment: as final as a cancellation
			if (code === "canceled" || code === "unknown_payment_intent") return "canceled";
			if (code !== "not_paid") return "unknown";
			return status === "requires_action" ? "at_bank" : "not_paid";
		},
	};

	async function post(path: string, init: { headers?: HeadersInit | undefined; body?: string; signal?: AbortSignal }) {
		const timeout = new AbortController();
		const timer = setTimeout(() => timeout.abort(), requestTimeout);
		const signal = init.signal ? AbortSignal.any([init.signal, timeout.signal]) : timeout.signal;
		try {
			const response = await fetch(`/payments/${path}`, { ...init, method: "POST", signal });
			const body = record(await response.json());
			const { code, message } = record(body["error"]);
			return { body, code: typeof code === "string" ? code : "", message: String(message ?? unreachable) };
		} catch {
			return { body: {}, code: "", message: unreachable };
		} finally {
			clearTimeout(timer);
		}
	}
}

const unreachable = "We couldn't reach the shop. You have not been charged.";

function json(body: unknown) {
	return { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

function record(value: unknown): Record<string, unknown> {
	return typeof value === "object" && value !== null ? { ...value } : {};
}

function pricesIn(value: unknown): Record<string, number> {
	return Object.fromEntries(
		Object.entries(record(value)).filter((price): price is [string, number] => typeof price[1] === "number"),
	);
}
