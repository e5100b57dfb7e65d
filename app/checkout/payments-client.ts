import type { Customer } from "#app/auth/customer.server.ts";
import type {
	Created as CreateResponse,
	FulfillRequest,
	FulfillResponse,
	PaymentError,
	PaymentErrorCode,
	PlaceRequest,
} from "#app/payments/api.server.ts";
import type { Intent } from "./purchase.ts";

// Client for /payments/*. Its methods never reject: a request without a response also returns a result.

export type Created =
	| { type: "created"; clientSecret: string; signature: string | undefined }
	/** The tab's previous intent has been paid, or its payment is in progress. */
	| { type: "payment_in_progress" }
	| { type: "failed"; message: string };

export type Placed =
	| { type: "placed" }
	/** Prices in cents by product id. Products without a price are no longer sold. */
	| { type: "price_changed"; prices: Record<string, number> }
	/** `code` is null if there was no usable response. */
	| { type: "refused"; code: PaymentErrorCode | null; message: string };

/** `at_bank`: not paid yet, because Stripe is waiting for the bank's dialog. `unknown`: the server is still checking,
 *  or there was no usable response. */
export type Fulfilled = "paid" | "refunded" | "canceled" | "at_bank" | "not_paid" | "unknown";

export interface PaymentsClient {
	/** Requests an intent for `total` cents that replaces the previous intent. */
	create(total: number, previous: Intent | null, signal: AbortSignal): Promise<Created>;
	place(intent: Intent, customer: Customer | null): Promise<Placed>;
	/** Polls the payment's outcome. With `cancel`, the server cancels the payment if it is still unpaid. */
	fulfill(intent: Intent, cancel: boolean, signal: AbortSignal): Promise<Fulfilled>;
}

/** Timeout of a request, in milliseconds. */
const requestTimeout = 10_000;

export function createPaymentsClient(fetch: typeof globalThis.fetch): PaymentsClient {
	return {
		async create(total, previous, signal) {
			const headers = previous ? { "previous-client-secret": previous.clientSecret } : undefined;
			const { clientSecret, signature, error } = await post<CreateResponse>(`create?total=${total}`, {
				headers,
				signal,
			});
			if (clientSecret !== undefined) return { type: "created", clientSecret, signature };
			if (previous && error?.code === "payment_in_progress") return { type: error.code };
			return { type: "failed", message: error?.message ?? unreachable };
		},

		async place({ clientSecret, signature, items }, customer) {
			const productIds = items.map(({ id }) => id);
			const order: PlaceRequest = { clientSecret, signature, productIds, customer: customer?.id ?? null };
			const { status, error, prices } = await post<{ status: string }>("place", json(order));
			if (status === "placed") return { type: "placed" };
			if (error?.code === "price_changed" && prices) return { type: error.code, prices };
			return { type: "refused", code: error?.code ?? null, message: error?.message ?? unreachable };
		},

		async fulfill({ clientSecret, signature }, cancel, signal) {
			const payment: FulfillRequest = { clientSecret, signature, ...(cancel && { cancel }) };
			const { status, error, intentStatus } = await post<FulfillResponse>("fulfill", {
				...json(payment),
				signal,
			});
			if (status === "paid" || status === "refunded") return status;
			if (error?.code === "canceled") return "canceled";
			// a payment that the shop does not know may have been charged, for example with earlier keys
			if (error?.code !== "not_paid") return "unknown";
			return intentStatus === "requires_action" ? "at_bank" : "not_paid";
		},
	};

	/** Returns the response's JSON, or an empty object if there was no response or it is not JSON. */
	async function post<Success>(
		path: string,
		init: { headers?: HeadersInit | undefined; body?: string; signal?: AbortSignal },
	): Promise<Partial<Success> & Partial<PaymentError>> {
		const timeout = new AbortController();
		const timer = setTimeout(() => timeout.abort(), requestTimeout);
		const signal = init.signal ? AbortSignal.any([init.signal, timeout.signal]) : timeout.signal;
		try {
			const response = await fetch(`/payments/${path}`, { ...init, method: "POST", signal });
			return Object(await response.json());
		} catch {
			return {};
		} finally {
			clearTimeout(timer);
		}
	}
}

const unreachable = "We couldn't reach the shop. You have not been charged.";

function json(body: unknown) {
	return { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}
