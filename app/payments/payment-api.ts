// The browser's side of /payments/*: each answer as a value, a lost network included.

export type Asked =
	| { clientSecret: string }
	/** The tab's earlier payment is running, or done. */
	| { inProgress: true }
	| { problem: string };

export type Placed =
	| { placed: true }
	/** Cents by product id. */
	| { prices: Record<string, number> }
	| { code: string; problem: string };

export type Settled = "paid" | "refunded" | "checking" | "not_paid";

/** Asks for a PaymentIntent of `total` cents, naming the one this tab already has. */
export async function askForIntent(total: number, previous: string | null, signal: AbortSignal): Promise<Asked> {
	const headers = previous ? { "previous-client-secret": previous } : undefined;
	const answer = await post(`/payments/create?total=${total}`, { signal, ...(headers && { headers }) });
	if (typeof answer.body["clientSecret"] === "string") return { clientSecret: answer.body["clientSecret"] };
	return answer.code === "payment_in_progress" ? { inProgress: true } : { problem: answer.message };
}

export async function placeOrder(clientSecret: string, productIds: string[], customer: string | null): Promise<Placed> {
	const answer = await post("/payments/place", json({ clientSecret, productIds, customer }));
	if (answer.status === 200) return { placed: true };
	if (answer.code === "price_changed") return { prices: pricesIn(answer.body["prices"]) };
	return { code: answer.code, problem: answer.message };
}

/** What became of a payment. Without an answer it is being checked, since the card may have been charged. */
export async function settlePayment(clientSecret: string): Promise<Settled> {
	const { status, body, code } = await post("/payments/fulfill", json({ clientSecret }));
	if (status === 200) return body["status"] === "refunded" ? "refunded" : "paid";
	return code === "not_paid" || code === "canceled" || status === 404 ? "not_paid" : "checking";
}

/** Milliseconds between two looks at a payment that is being checked. */
const checkInterval = 2500;

/** What became of a payment, once that is known; null when somebody else looks by then. */
export async function outcomeOf(clientSecret: string, stop: AbortSignal): Promise<Exclude<Settled, "checking"> | null> {
	for (;;) {
		const settled = await settlePayment(clientSecret);
		if (stop.aborted) return null;
		if (settled !== "checking") return settled;
		await new Promise((resolve) => setTimeout(resolve, checkInterval));
		if (stop.aborted) return null;
	}
}

interface Answer {
	/** The HTTP status; 0 when there was no answer. */
	status: number;
	body: Record<string, unknown>;
	code: string;
	message: string;
}

const patience = 10_000;

async function post(url: string, { signal, ...init }: RequestInit = {}): Promise<Answer> {
	const signals = [AbortSignal.timeout(patience), signal].filter((signal) => signal instanceof AbortSignal);
	try {
		const response = await fetch(url, { ...init, method: "POST", signal: AbortSignal.any(signals) });
		const body = record(await response.json());
		const error = record(body["error"]);
		return {
			status: response.status,
			body,
			code: String(error["code"] ?? ""),
			message: String(error["message"] ?? ""),
		};
	} catch {
		return { status: 0, body: {}, code: "no_answer", message: "The shop could not be reached. Nothing was charged." };
	}
}

function json(body: unknown): RequestInit {
	return { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

function record(value: unknown): Record<string, unknown> {
	return typeof value === "object" && value !== null ? { ...value } : {};
}

function pricesIn(value: unknown): Record<string, number> {
	return Object.fromEntries(
		Object.entries(record(value)).flatMap(([id, cents]) => (typeof cents === "number" ? [[id, cents]] : [])),
	);
}
