import { DurableObject } from "cloudflare:workers";
import type Stripe from "stripe";
import { callerWith } from "./api/access.ts";
import { CardParts } from "./api/card-parts.ts";
import { reconsiderPayment } from "./api/charge-card.ts";
import { disputePayment, reconsiderDispute } from "./api/disputes.ts";
import { invalidRequest } from "./api/errors.ts";
import { type ApiResponse, IdempotencyKeys } from "./api/idempotency.ts";
import { Parameters } from "./api/parameters.ts";
import { cancelRefund, reconsiderRefund, refundPayment } from "./api/refunds.ts";
import { type ApiRequest, errorResponse, handle, newApiRequest, toResponse, unsupportedUrl } from "./api/requests.ts";
import type { Ledger } from "./api/routes.ts";
import { bankPageUrl, baseUrlHeader, receiptUrl } from "./base-url.ts";
import { drain, readAtMost } from "./body.ts";
import { type ApiFault, faultTimeout, injectedError, injectedServerError, takeFault } from "./controls/api-faults.ts";
import type { AccountControl } from "./controls/control.ts";
import { type Entry, Journal } from "./controls/journal.ts";
import { type Latency, latencyOf, withLatency } from "./controls/latency.ts";
import { calm, SettingsStore } from "./controls/settings.ts";
import type { AccountState } from "./controls/state.ts";
import { consoleData, type View } from "./controls/timeline.ts";
import { DueList } from "./due.ts";
import { defaultKeys, type Keys } from "./keys.ts";
import { newEvent } from "./objects/event.ts";
import { receiptOf } from "./objects/receipt.ts";
import { everything, Store } from "./store.ts";
import { Deliveries } from "./webhooks/deliveries.ts";
import { type Endpoint, hostEndpoints, type WebhookEndpoint } from "./webhooks/endpoint.ts";

export type { WebhookEndpoint };

/** The properties that contain client secrets, which give access to payments. */
const secrets = ["client_secret", "redirect_to_url"];

/** Maximum size of a request's form, in bytes. SQLite limits the size of a row, and one row can hold the form's data
 *  several times. */
const maxFormBytes = 64 * 1024;

/** Sends a webhook over the network. */
const send = (request: Request, init: { signal: AbortSignal }) => fetch(request, init);

/** A Stripe test account, stored in a Durable Object named "account". `fetch` serves Stripe's HTTP API. Once
 *  a request's body has been read, its work runs without an await, so requests take effect one at a time.
 *
 *  A host exports a subclass that overrides `webhookEndpoint()` and, to replace the default keys, `keys`. */
export class StripeEmulatorAccount<Env = unknown> extends DurableObject<Env> {
	protected readonly keys: Keys = defaultKeys;
	readonly #sql = this.ctx.storage.sql;
	readonly #store = new Store(this.#sql);
	readonly #settings = new SettingsStore(this.#sql);
	readonly #idempotencyKeys = new IdempotencyKeys(this.#sql, () => this.#now());
	readonly #cardParts = new CardParts();
	/** Snapshots of intents taken before a running confirmation, keyed by the id of the confirming request. */
	readonly #confirming = new Map<string, Stripe.PaymentIntent>();
	readonly #due = new DueList(this.#sql);
	readonly #journal = new Journal(this.#sql);
	readonly #deliveries = new Deliveries(this.#sql, {
		now: () => this.#now(),
		endpoints: () => this.#endpoints(),
		find: (event) => this.#store.find("event", event),
	});

	/** Returns the host's own webhook endpoint, which signs with `keys.webhookSecret`, or null if it has none. If this
	 *  method throws, the deliveries fail with that error. */
	protected webhookEndpoint(): WebhookEndpoint | null {
		return null;
	}

	/** Returns the host's own webhook endpoints, for a host with several. */
	protected webhookEndpoints(): readonly WebhookEndpoint[] {
		const endpoint = this.webhookEndpoint();
		return endpoint ? [endpoint] : [];
	}

	/** Returns the enabled webhook endpoints. */
	#endpoints(): Endpoint[] {
		const created = this.#store.list("webhook_endpoint", everything, ({ status }) => status === "enabled")?.data ?? [];
		const own = hostEndpoints(() => this.webhookEndpoints(), this.keys.webhookSecret);
		return [
			...own,
			...created.map(({ id, url, secret, enabled_events: events }) => ({ id, url, secret, events, fetch: send })),
		];
	}

	/** The account's clock, in Unix seconds. */
	#now(): number {
		return Math.floor(Date.now() / 1000) + this.#settings.current.clockAdvance;
	}

	override async fetch(request: Request): Promise<Response> {
		const { pathname, search } = new URL(request.url);
		const baseUrl = request.headers.get(baseUrlHeader) ?? this.#settings.current.baseUrl;
		if (baseUrl !== this.#settings.current.baseUrl) this.#settings.change({ baseUrl });
		const call = newApiRequest(request, pathname);
		try {
			return await this.#respond(request, call, search);
		} finally {
			this.#confirming.delete(call.id);
		}
	}

	async #respond(request: Request, call: ApiRequest, search: string): Promise<Response> {
		const started = Date.now();
		const key = (request.method === "POST" && request.headers.get("Idempotency-Key")) || null;
		const fault = this.#takeFault(call);
		let form = search;
		const read = async () => {
			const body = request.method !== "POST" ? { text: search } : await readAtMost(request, maxFormBytes);
			if (!("text" in body)) throw invalidRequest(body.message, {}, body.status);
			form = body.text;
			return form;
		};
		await scheduler.wait(this.#latencyOf(call, "before"));
		const result = await this.#handle(call, key, fault, read);
		const delay = this.#latencyOf(call, "after") + (fault?.fault === "timeout" ? faultTimeout : 0);
		const duration = Date.now() - started + delay;
		this.#journal.write(
			{ ...this.#entryOf(call, key, form), ...outcomeOf(result), created: this.#now(), fault: nameOf(fault), duration },
			form,
		);
		if (this.#settings.current.webhooks.mode === "before_response") await this.#deliveries.sendDue();
		this.#schedule();
		// Delays only the response: the journal entry is written, and the webhooks are sent or scheduled.
		await scheduler.wait(delay);
		await drain(request);
		return toResponse(result, call.id, key);
	}

	async #handle(call: ApiRequest, key: string | null, fault: ApiFault | undefined, read: () => Promise<string>) {
		try {
			if (fault?.when === "before") {
				await read();
				throw injectedError(fault);
			}
			const result = await this.#perform(call, key, fault, read);
			if (fault) throw injectedError(fault);
			return result;
		} catch (error) {
			return { ...errorResponse(error, "server", call.id), replayed: false };
		}
	}

	async #perform(call: ApiRequest, key: string | null, fault: ApiFault | undefined, read: () => Promise<string>) {
		const request: Stripe.Event.Request = { id: call.id, idempotency_key: key };
		const instead = fault?.fault === "500" ? injectedServerError() : undefined;
		const run = (form: string): ApiResponse => {
			const rest = {
				...this.#ledger(request),
				cardParts: this.#cardParts,
				deliveries: this.#deliveries,
				confirming: (intent: Stripe.PaymentIntent) => void this.#confirming.set(call.id, intent),
				retrieved: (intent: Stripe.PaymentIntent) => this.#retrieved(intent),
			};
			return handle(call, Parameters.parse(form), rest, { keys: this.keys, instead });
		};
		// A browser's idempotency key is ignored: a stored request could contain a card number.
		const isServer = callerWith(call.key, true, this.keys) === "server";
		if (key === null || !isServer) return { ...run(await read()), replayed: false };
		if (!call.found) throw unsupportedUrl(call.method, call.path);
		return this.#idempotencyKeys.once(key, call.path, read, run);
	}

	/** Returns the intent or, if stale_retrieve is set, its snapshot from before a running confirmation. */
	#retrieved(intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
		if (!this.#settings.current.staleRetrieve) return intent;
		return [...this.#confirming.values()].find(({ id }) => id === intent.id) ?? intent;
	}

	/** Returns the ledger for one API call, or for scheduled work, which has no request. */
	#ledger(request: Stripe.Event.Request = { id: null, idempotency_key: null }): Ledger {
		const now = this.#now();
		const { baseUrl, processingTime, webhooks } = this.#settings.current;
		const state = { deliver: "pending", before_response: "pending", hold: "held", drop: "dropped" } as const;
		return {
			store: this.#store,
			now,
			processingTime,
			bankPage: (returnUrl, query) => bankPageUrl(baseUrl, returnUrl, { ...query, key: this.keys.publishableKey }),
			receiptUrl: (chargeId) => receiptUrl(baseUrl, chargeId),
			remember: (at, kind, id) => this.#due.add(at, kind, id),
			emit: (content) => {
				for (let count = webhooks.twins ? 2 : 1; count > 0; count--) {
					const event = newEvent(content, request, now);
					this.#store.save("event", event.id, event);
					this.#deliveries.add(event, state[webhooks.mode], webhooks);
				}
			},
		};
	}

	#entryOf({ id, method, path, found, key: sent }: ApiRequest, key: string | null, form: string) {
		const sentKey = sent ?? new URLSearchParams(form).get("key") ?? undefined;
		const caller: Entry["caller"] = callerWith(sentKey, sent !== undefined, this.keys) ?? "nobody";
		return { request_id: id, caller, endpoint: found?.route.name ?? null, method, path, idempotency_key: key };
	}

	#takeFault({ found }: ApiRequest): ApiFault | undefined {
		const { fault, rest } = takeFault(this.#settings.current.faults, found?.route.name ?? null);
		if (fault) this.#settings.change({ faults: rest });
		return fault;
	}

	#latencyOf({ found }: ApiRequest, when: Latency["when"]): number {
		return latencyOf(this.#settings.current.latencies, found?.route.name ?? null, when);
	}

	/** Processes the payments and refunds that are due, and sends the webhooks that are due. */
	override async alarm(): Promise<void> {
		for (const { kind, id } of this.#due.take(this.#now())) {
			if (kind === "payment_intent") reconsiderPayment(this.#ledger(), id);
			else if (kind === "refund") reconsiderRefund(this.#ledger(), id);
			else reconsiderDispute(this.#ledger(), id);
		}
		// Not awaited: an endpoint that does not respond must not delay the next event.
		this.ctx.waitUntil(this.#deliveries.sendDue().finally(() => this.#schedule()));
	}

	#schedule(): void {
		const due = [this.#due.next, this.#deliveries.next].filter((at) => at !== null);
		if (due.length === 0) return;
		const at = (Math.min(...due) - this.#settings.current.clockAdvance) * 1000;
		void this.ctx.storage.setAlarm(Math.max(at, Date.now()));
	}

	/** Returns how far the account's clock is ahead of the system clock, in seconds. */
	clockAdvance(): number {
		return this.#settings.current.clockAdvance;
	}

	/** Runs a control and returns its result as JSON. */
	async control(control: AccountControl): Promise<string> {
		const result = await this.#control(control);
		this.#schedule();
		return JSON.stringify(result ?? null);
	}

	async #control(control: AccountControl): Promise<unknown> {
		switch (control.control) {
			case "webhooks":
				return this.#settings.change({ webhooks: control });
			case "release":
				return this.#deliveries.release(control.order);
			case "send":
				return this.#deliveries.send(control.event, control);
			case "discard":
				return this.#deliveries.drop(control.event);
			case "deliver_due":
				return this.#deliveries.sendDue();
			case "fail":
				return this.#settings.change({ faults: [...this.#settings.current.faults, control] });
			case "latency":
				return this.#settings.change({ latencies: withLatency(this.#settings.current.latencies, control) });
			case "stale_retrieve":
				return this.#settings.change({ staleRetrieve: control.stale });
			case "processing":
				return this.#settings.change({ processingTime: control.seconds });
			case "clock":
				this.#settings.change({ clockAdvance: this.#settings.current.clockAdvance + control.advance });
				return this.alarm();
			case "dispute":
				return disputePayment(this.#ledger(), control.payment_intent, control);
			case "refund":
				return refundPayment(this.#ledger(), control.payment_intent, control.amount);
			case "cancel_refund":
				return cancelRefund(this.#ledger(), control.refund);
			case "calm":
				return this.#settings.change(calm);
			case "reset":
				return this.#reset();
		}
	}

	#reset(): void {
		const query =
			"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'";
		for (const { name } of this.#sql.exec<{ name: string }>(query).toArray()) this.#sql.exec(`DELETE FROM "${name}"`);
		this.#settings.reset();
		this.#confirming.clear();
	}

	/** Returns what the console displays for a view as JSON, without client secrets and card numbers. `keys` are for
	 *  examples of requests. */
	console(view: View): string {
		const { secretKey, publishableKey } = this.keys;
		const sources = { store: this.#store, journal: this.#journal, deliveries: this.#deliveries };
		const state = { now: this.#now(), settings: this.#settings.current };
		return JSON.stringify({ ...consoleData(sources, view, state), keys: { secretKey, publishableKey } });
	}

	/** Returns the Receipt of a captured charge as JSON, or null. */
	receipt(chargeId: string): string | null {
		const charge = this.#store.find("charge", chargeId);
		return charge?.captured ? JSON.stringify(receiptOf(charge)) : null;
	}

	/** Returns the AccountState as JSON. Client secrets are set to null, because they give access to payments. */
	state(): string {
		const newest = { limit: 50, startingAfter: undefined, endingBefore: undefined };
		const all = () => true;
		const events = this.#store.list("event", newest, all)?.data ?? [];
		const state: AccountState = {
			now: this.#now(),
			settings: this.#settings.current,
			paymentIntents: this.#store.list("payment_intent", newest, all)?.data ?? [],
			refunds: this.#store.list("refund", newest, all)?.data ?? [],
			events: events.map((event) => ({
				event,
				delivery: this.#deliveries.find(event.id) ?? null,
				attempts: this.#deliveries.attempts(event.id),
			})),
			journal: this.#journal.read(200),
		};
		return JSON.stringify(state, (name, value) => (secrets.includes(name) ? null : value));
	}
}

function outcomeOf({ status, body, replayed }: ApiResponse & { replayed: boolean }) {
	return { status, response: body, replayed };
}

function nameOf(fault: ApiFault | undefined): string | null {
	return fault ? `${fault.fault} ${fault.when}` : null;
}
