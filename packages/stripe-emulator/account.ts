import { DurableObject } from "cloudflare:workers";
import type Stripe from "stripe";
import { finishProcessing } from "./api/charge-card.ts";
import { type ApiResponse, IdempotencyKeys } from "./api/idempotency.ts";
import { Parameters } from "./api/parameters.ts";
import { reconsiderRefund, refundPayment } from "./api/refunds.ts";
import { type ApiRequest, errorResponse, handle, newApiRequest, toResponse } from "./api/requests.ts";
import type { Ledger } from "./api/routes.ts";
import { drain, maxBodyBytes, readAtMost } from "./body.ts";
import { type ApiFault, faultTimeout, injectedError, injectedServerError, takeFault } from "./controls/api-faults.ts";
import type { AccountControl } from "./controls/control.ts";
import { type Entry, Journal } from "./controls/journal.ts";
import { type Latency, latencyOf, withLatency } from "./controls/latency.ts";
import { calm, SettingsStore } from "./controls/settings.ts";
import type { AccountState } from "./controls/state.ts";
import { DueList } from "./due.ts";
import { ApiError, invalidRequest } from "./errors.ts";
import { defaultKeys, type Keys } from "./keys.ts";
import { newEvent } from "./objects/event.ts";
import { deleteOld } from "./retention.ts";
import { Store } from "./store.ts";
import { Deliveries } from "./webhooks/deliveries.ts";
import { signedRequest, type Tampering } from "./webhooks/signed-request.ts";

/** The merchant's webhook endpoint. */
export interface WebhookEndpoint {
	url: string;
	/** Sends a webhook, and rejects if there is no response. */
	fetch(request: Request, init: { signal: AbortSignal }): Promise<Response>;
}

/** Timeout of a webhook delivery, in milliseconds. */
const webhookTimeout = 10_000;
/** How long after a call a public account deletes old data at the latest, in seconds. */
const deletionDelay = 60;

/** A Stripe test account, stored in a Durable Object named "account". `fetch` serves Stripe's HTTP API. Once
 *  a request's body has been read, its work runs without an await, so requests take effect one at a time.
 *
 *  A host exports a subclass that overrides `webhookEndpoint()` and, if they differ, `keys` and `isPublic`. */
export class StripeEmulatorAccount<Env = unknown> extends DurableObject<Env> {
	protected readonly keys: Keys = defaultKeys;
	/** Whether browsers on a public host can call the account, so that it deletes its data after a day. */
	protected readonly isPublic: boolean = false;
	readonly #sql = this.ctx.storage.sql;
	readonly #store = new Store(this.#sql);
	readonly #settings = new SettingsStore(this.#sql);
	readonly #idempotencyKeys = new IdempotencyKeys(this.#sql, () => this.#now());
	/** Snapshots of intents taken before a running confirmation, keyed by the id of the confirming request. */
	readonly #confirming = new Map<string, Stripe.PaymentIntent>();
	readonly #due = new DueList(this.#sql);
	readonly #journal = new Journal(this.#sql);
	readonly #deliveries = new Deliveries(
		this.#sql,
		() => this.#now(),
		(event, tampering) => this.#sendWebhook(event, tampering),
	);

	/** Returns the webhook endpoint. If this method throws, the delivery fails with that error. */
	protected webhookEndpoint(): WebhookEndpoint {
		throw new Error("This account has no webhook endpoint: override webhookEndpoint() of StripeEmulatorAccount.");
	}

	/** The account's clock, in Unix seconds. */
	#now(): number {
		return Math.floor(Date.now() / 1000) + this.#settings.current.clockAdvance;
	}

	override async fetch(request: Request): Promise<Response> {
		const call = newApiRequest(request);
		try {
			return await this.#respond(request, call, new URL(request.url).search);
		} finally {
			this.#confirming.delete(call.id);
		}
	}

	async #respond(request: Request, call: ApiRequest, search: string): Promise<Response> {
		const key = (request.method === "POST" && request.headers.get("Idempotency-Key")) || null;
		const fault = this.#takeFault(call);
		let form = search;
		const read = async () => {
			const body = request.method === "GET" ? { text: search } : await readAtMost(request, maxBodyBytes);
			if (!("text" in body)) throw invalidRequest(body.message, {}, body.status);
			form = body.text;
			return form;
		};
		await scheduler.wait(this.#latencyOf(call, "before"));
		const result = await this.#handle(call, key, fault, read);
		this.#journal.write(
			{
				...this.#entryOf(call, key, form),
				status: result.status,
				replayed: result.replayed,
				created: this.#now(),
				fault: fault ? `${fault.fault} ${fault.when}` : null,
			},
			form,
		);
		if (this.#settings.current.webhooks.mode === "before_response") await this.#deliveries.sendDue();
		if (this.isPublic) this.#due.add(this.#now() + deletionDelay, "deletion", "");
		this.#schedule();
		// Delays only the response: the journal entry is written, and the webhooks are sent or scheduled.
		await scheduler.wait(this.#latencyOf(call, "after"));
		if (fault?.fault === "timeout") await scheduler.wait(faultTimeout);
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
				deliveries: this.#deliveries,
				endpoint: this.#endpoint(),
				confirming: (intent: Stripe.PaymentIntent) => void this.#confirming.set(call.id, intent),
				retrieved: (intent: Stripe.PaymentIntent) => this.#retrieved(intent),
			};
			return handle(call, Parameters.parse(form), rest, { keys: this.keys, instead });
		};
		// A browser's idempotency key is ignored: a stored request could contain a card number.
		if (key === null || call.key !== this.keys.secretKey) return { ...run(await read()), replayed: false };
		return this.#idempotencyKeys.once(key, call.path, read, run);
	}

	/** Returns the webhook endpoint. A disabled one is the webhook mode "drop". */
	#endpoint() {
		const settings = this.#settings;
		return {
			url: () => this.webhookEndpoint().url,
			get disabled() {
				return settings.current.webhooks.mode === "drop";
			},
			set disabled(disabled) {
				settings.change({ webhooks: { ...settings.current.webhooks, mode: disabled ? "drop" : "deliver" } });
			},
		};
	}

	/** Returns the intent or, if stale_retrieve is set, its snapshot from before a running confirmation. */
	#retrieved(intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
		if (!this.#settings.current.staleRetrieve) return intent;
		return [...this.#confirming.values()].find(({ id }) => id === intent.id) ?? intent;
	}

	/** Returns the ledger for one API call or alarm. `request` is the API call, or null for an alarm. */
	#ledger(request: Stripe.Event.Request | null): Ledger {
		const now = this.#now();
		const { processingTime, webhooks } = this.#settings.current;
		const state = { deliver: "pending", before_response: "pending", hold: "held", drop: "dropped" } as const;
		return {
			store: this.#store,
			now,
			processingTime,
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

	#entryOf({ id, method, path, found, key: apiKey }: ApiRequest, key: string | null, form: string) {
		const { secretKey, publishableKey } = this.keys;
		const isBrowser = (apiKey ?? new URLSearchParams(form).get("key")) === publishableKey;
		const caller: Entry["caller"] = apiKey === secretKey ? "server" : isBrowser ? "browser" : "nobody";
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

	/** Processes the payments and refunds that are due, deletes old data, and sends the webhooks that are due. */
	override async alarm(): Promise<void> {
		for (const { kind, id } of this.#due.take(this.#now())) {
			if (kind === "payment_intent") finishProcessing(this.#ledger(null), id);
			else if (kind === "refund") reconsiderRefund(this.#ledger(null), id);
		}
		deleteOld(this.#sql, this.#now(), this.isPublic);
		// Not awaited: an endpoint that does not respond must not delay the next event.
		this.ctx.waitUntil(this.#deliveries.sendDue().finally(() => this.#schedule()));
	}

	#schedule(): void {
		const due = [this.#due.next, this.#deliveries.next].filter((at) => at !== null);
		if (due.length === 0) return;
		const at = (Math.min(...due) - this.#settings.current.clockAdvance) * 1000;
		void this.ctx.storage.setAlarm(Math.max(at, Date.now()));
	}

	async #sendWebhook(eventId: string, tampering: Tampering): Promise<Response> {
		const event = this.#store.find("event", eventId);
		if (!event) throw new Error("The event has been deleted.");
		const endpoint = this.webhookEndpoint();
		const options = { url: endpoint.url, secret: this.keys.webhookSecret, now: this.#now(), tampering };
		const request = await signedRequest(event, options);
		return endpoint.fetch(request, { signal: AbortSignal.timeout(webhookTimeout) });
	}

	/** Returns how far the account's clock is ahead of the system clock, in seconds. */
	clockAdvance(): number {
		return this.#settings.current.clockAdvance;
	}

	/** Runs a control. Returns its result as JSON, or an error message if the account's state does not allow it. */
	async control(control: AccountControl): Promise<{ result: string } | { error: string }> {
		try {
			return { result: JSON.stringify((await this.#control(control)) ?? null) };
		} catch (error) {
			if (error instanceof ApiError) return { error: error.message };
			throw error;
		} finally {
			this.#schedule();
		}
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
			case "refund":
				return refundPayment(this.#ledger(null), control.payment_intent, control.amount);
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

	/** Returns the AccountState as JSON. Client secrets are set to null, because they give access to payments. */
	state(): string {
		const newest = { limit: 50, startingAfter: undefined, endingBefore: undefined };
		const events = this.#store.list("event", newest)?.data ?? [];
		const state: AccountState = {
			now: this.#now(),
			settings: this.#settings.current,
			paymentIntents: this.#store.list("payment_intent", newest)?.data ?? [],
			refunds: this.#store.list("refund", newest)?.data ?? [],
			events: events.map((event) => ({ event, delivery: this.#deliveries.find(event.id) ?? null })),
			journal: this.#journal.read(200),
		};
		return JSON.stringify(state, (name, value) => (name === "client_secret" ? null : value));
	}
}
