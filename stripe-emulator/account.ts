import { DurableObject } from "cloudflare:workers";
import { bearerKey, browserError, browserView, type Caller, callerOf } from "./api/access.ts";
import { ApiError, missingParameter, secretKeyRequired, serverError, unknownUrl } from "./api/errors.ts";
import { type Answer, IdempotencyKeys } from "./api/idempotency.ts";
import { Parameters } from "./api/parameters.ts";
import { paymentIntentRoutes } from "./api/payment-intent-routes.ts";
import type { Route } from "./api/routes.ts";
import { SECRET_KEY } from "./keys.ts";
import { newId } from "./objects/ids.ts";
import { Store } from "./store.ts";

const API_VERSION = "2026-10-28.endive";
const routes: readonly Route[] = [...paymentIntentRoutes];

/** A Stripe test account: `fetch` speaks Stripe's HTTP API, and what it did outlives a restart. There is one instance,
 *  named "account". Once a request's body is read, nothing in it waits, so that requests take effect one by one. */
export class StripeEmulatorAccount extends DurableObject<Env> {
	readonly #store = new Store(this.ctx.storage.sql);
	readonly #keys = new IdempotencyKeys(this.ctx.storage.sql, () => this.#now());

	/** Unix seconds: the only clock of the account. */
	#now(): number {
		return Math.floor(Date.now() / 1000);
	}

	override async fetch(request: Request): Promise<Response> {
		const requestId = newId("req_", 14);
		try {
			const { replayed, ...answer } = await this.#answer(request, requestId);
			return respond(answer, requestId, replayed ? { "Idempotent-Replayed": "true" } : {});
		} catch (error) {
			return respond(refusal(error, "server", requestId), requestId);
		}
	}

	async #answer(request: Request, requestId: string): Promise<Answer & { replayed: boolean }> {
		const { pathname, search } = new URL(request.url);
		const bearer = bearerKey(request);
		const key = request.method === "POST" ? request.headers.get("Idempotency-Key") : null;
		const run = (form: string) => this.#run(request.method, pathname, bearer, Parameters.parse(form), requestId);
		// Only a server's key counts: a browser's request may hold a card number, and requests are kept with their key.
		if (key === null || bearer !== SECRET_KEY) {
			return { ...run(request.method === "GET" ? search : await request.text()), replayed: false };
		}
		findRoute(request.method, pathname);
		return this.#keys.once(key, pathname, () => request.text(), run);
	}

	#run(method: string, path: string, bearer: string | undefined, params: Parameters, requestId: string): Answer {
		const caller = callerOf(bearer, params);
		const { route, id } = findRoute(method, path);
		if (caller === "browser" && !route.openToBrowsers) throw secretKeyRequired();
		const clientSecret = caller === "browser" ? takeClientSecret(params) : null;
		const work = route.prepare({ caller, clientSecret, id, params, store: this.#store, now: this.#now() });
		try {
			const intent = work();
			return { status: 200, body: JSON.stringify(caller === "browser" ? browserView(intent) : intent), requestId };
		} catch (error) {
			return refusal(error, caller, requestId);
		}
	}
}

function findRoute(method: string, path: string): { route: Route; id: string } {
	for (const route of routes) {
		const match = route.method === method && route.path.exec(path);
		if (match) return { route, id: match[1] ?? "" };
	}
	throw unknownUrl(method, path);
}

function takeClientSecret(params: Parameters): string {
	params.take("key");
	const clientSecret = params.take("client_secret");
	if (clientSecret === undefined) throw missingParameter("client_secret");
	return clientSecret;
}

function refusal(error: unknown, caller: Caller, requestId: string): Answer {
	if (!(error instanceof ApiError)) console.error(`Stripe emulator, ${requestId}:`, error);
	const { status, body } = error instanceof ApiError ? error : serverError();
	return { status, body: JSON.stringify({ error: caller === "browser" ? browserError(body) : body }), requestId };
}

function respond(answer: Answer, requestId: string, headers: Record<string, string> = {}): Response {
	const original: Record<string, string> =
		answer.requestId === requestId ? {} : { "Original-Request": answer.requestId };
	return new Response(answer.body, {
		status: answer.status,
		headers: {
			"Cache-Control": "no-store",
			"Content-Type": "application/json",
			"Request-Id": requestId,
			"Stripe-Version": API_VERSION,
			...original,
			...headers,
		},
	});
}
