import { DurableObject } from "cloudflare:workers";
import type Stripe from "stripe";
import { bearerKey } from "./api/access.ts";
import { type Asked, answer, newAsked, refusal, respond } from "./api/answer.ts";
import { CardParts } from "./api/card-parts.ts";
import { finishProcessing } from "./api/charge-card.ts";
import { invalidRequest, unknownUrl } from "./api/errors.ts";
import { type Answer, IdempotencyKeys } from "./api/idempotency.ts";
import { Parameters } from "./api/parameters.ts";
import { reconsiderRefund } from "./api/refunds.ts";
import type { Ledger } from "./api/routes.ts";
import { drain, readAtMost } from "./body.ts";
import { type ApiFault, FOR_EVER, playedError, playedServerError, takeFault } from "./controls/api-faults.ts";
import type { AccountControl } from "./controls/control.ts";
import { type Entry, Journal } from "./controls/journal.ts";
import { type Latency, latencyOf, withLatency } from "./controls/latency.ts";
import { calm, SettingsStore } from "./controls/settings.ts";
import type { AccountState } from "./controls/state.ts";
import { DueList } from "./due.ts";
import { PUBLISHABLE_KEY, SECRET_KEY, WEBHOOK_SECRET } from "./keys.ts";
import { newEvent } from "./objects/event.ts";
import { Store } from "./store.ts";
import { Deliveries } from "./webhooks/deliveries.ts";
import { signedRequest, type Tampering } from "./webhooks/signed-request.ts";

/** Where the shop hears of events. Only the path counts: the SHOP binding leads to this very Worker. */
const WEBHOOK_URL = "http://localhost/stripe/webhook";
/** Milliseconds that the shop has to answer. */
const WEBHOOK_TIMEOUT = 10_000;
/** Bytes; everything that is kept of a form must fit into a row of SQLite several times over. */
const MAX_FORM = 64 * 1024;

/** A Stripe test account: `fetch` speaks Stripe's HTTP API, and what it did outlives a restart. There is one instance,
 *  named "account". Once a request's body is read, nothing in it waits, so that requests take effect one by one. */
export class StripeEmulatorAccount extends DurableObject<Env> {
	readonly #sql = this.ctx.storage.sql;
	readonly #store = new Store(this.#sql);
	readonly #settings = new SettingsStore(this.#sql);
	readonly #keys = new IdempotencyKeys(this.#sql, () => this.#now());
	readonly #cardParts = new CardParts();
	/** The intents of confirmations that are running, as they were before, by the id of the request that confirms. */
	readonly #confirming = new Map<string, Stripe.PaymentIntent>();
	readonly #due = new DueList(this.#sql);
	readonly #journal = new Journal(this.#sql);
	readonly #deliveries = new Deliveries(
		this.#sql,
		() => this.#now(),
		(event, tampering) => this.#sendToShop(event, tampering),
	);

	/** Unix seconds: the only clock of the account. */
	#now(): number {
		return Math.floor(Date.now() / 1000) + this.#settings.current.clockAdvance;
	}

	override async fetch(request: Request): Promise<Response> {
		const { pathname, search } = new URL(request.url);
		const asked = newAsked(request.method, pathname, bearerKey(request));
		try {
			return await this.#respond(request, asked, search);
		} finally {
			this.#confirming.delete(asked.id);
		}
	}

	async #respond(request: Request, asked: Asked, search: string): Promise<Response> {
		const key = (request.method === "POST" && request.headers.get("Idempotency-Key")) || null;
		const fault = this.#takeFault(asked);
		let form = search;
		const read = async () => {
			const body = request.method === "GET" ? { text: search } : await readAtMost(request, MAX_FORM);
			if (!("text" in body)) throw invalidRequest(body.message, {}, body.status);
			form = body.text;
			return form;
		};
		await scheduler.wait(this.#latencyOf(asked, "before"));
		const given = await this.#answer(asked, key, fault, read);
		this.#journal.write(
			{ ...entryOf(asked, key, form), ...outcomeOf(given), created: this.#now(), fault: nameOf(fault) },
			form,
		);
		if (this.#settings.current.webhooks.mode === "before_response") await this.#deliveries.sendDue();
		this.#schedule();
		// The caller alone is kept waiting: what has been done is in the journal, and its events go out.
		await scheduler.wait(this.#latencyOf(asked, "after"));
		if (fault?.fault === "timeout") await scheduler.wait(FOR_EVER);
		await drain(request);
		return respond(given, asked.id, key);
	}

	async #answer(asked: Asked, key: string | null, fault: ApiFault | undefined, read: () => Promise<string>) {
		try {
			if (fault?.when === "before") {
				await read();
				throw playedError(fault);
			}
			const given = await this.#perform(asked, key, fault, read);
			if (fault) throw playedError(fault);
			return given;
		} catch (error) {
			return { ...refusal(error, "server", asked.id), replayed: false };
		}
	}

	async #perform(asked: Asked, key: string | null, fault: ApiFault | undefined, read: () => Promise<string>) {
		const request: Stripe.Event.Request = { id: asked.id, idempotency_key: key };
		const instead = fault?.fault === "500" ? playedServerError() : undefined;
		const run = (form: string): Answer => {
			const rest = {
				...this.#ledger(request),
				cardParts: this.#cardParts,
				deliveries: this.#deliveries,
				confirming: (intent: Stripe.PaymentIntent) => void this.#confirming.set(asked.id, intent),
				retrieved: (intent: Stripe.PaymentIntent) => this.#retrieved(intent),
			};
			return answer(asked, Parameters.parse(form), rest, instead);
		};
		// Only a server's key counts: a browser's request may hold a card number, and requests are kept with their key.
		if (key === null || asked.bearer !== SECRET_KEY) return { ...run(await read()), replayed: false };
		if (!asked.found) throw unknownUrl(asked.method, asked.path);
		return this.#keys.once(key, asked.path, read, run);
	}

	/** Returns the intent as it was before a confirmation that is running, if retrieves are to be stale. */
	#retrieved(intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
		if (!this.#settings.current.staleRetrieve) return intent;
		return [...this.#confirming.values()].find(({ id }) => id === intent.id) ?? intent;
	}

	/** What anything that changes the account works with; `request` is the call that does, null for the passing of
	 *  time. */
	#ledger(request: Stripe.Event.Request | null): Ledger {
		const now = this.#now();
		const { processingTime, webhooks } = this.#settings.current;
		const state = { deliver: "pending", before_response: "pending", hold: "held", drop: "dropped" } as const;
		return {
			store: this.#store,
			now,
			processingTime,
			remember: (at, kind, id) => this.#due.add(at, kind, id),
			emit: (happening) => {
				for (let count = webhooks.twins ? 2 : 1; count > 0; count--) {
					const event = newEvent(happening, request, now);
					this.#store.save("event", event.id, event);
					this.#deliveries.add(event, state[webhooks.mode], webhooks);
				}
			},
		};
	}

	#takeFault({ found }: Asked): ApiFault | undefined {
		const { fault, rest } = takeFault(this.#settings.current.faults, found?.route.name ?? null);
		if (fault) this.#settings.change({ faults: rest });
		return fault;
	}

	#latencyOf({ found }: Asked, when: Latency["when"]): number {
		return latencyOf(this.#settings.current.latencies, found?.route.name ?? null, when);
	}

	/** Does what time has made due. */
	override async alarm(): Promise<void> {
		for (const { kind, id } of this.#due.take(this.#now())) {
			if (kind === "payment_intent") finishProcessing(this.#ledger(null), id);
			else reconsiderRefund(this.#ledger(null), id);
		}
		// Not waited for: a shop that does not answer must not hold up the next event.
		this.ctx.waitUntil(this.#deliveries.sendDue().finally(() => this.#schedule()));
	}

	#schedule(): void {
		const due = [this.#due.next, this.#deliveries.next].filter((at) => at !== null);
		if (due.length === 0) return;
		const at = (Math.min(...due) - this.#settings.current.clockAdvance) * 1000;
		void this.ctx.storage.setAlarm(Math.max(at, Date.now()));
	}

	async #sendToShop(eventId: string, tampering: Tampering): Promise<Response> {
		const event = this.#store.find("event", eventId);
		if (!event) throw new Error("The event is older than 30 days and forgotten.");
		if (!this.env.SHOP) throw new Error("SHOP is not bound; add the [[services]] entry to wrangler.toml.");
		const options = { url: WEBHOOK_URL, secret: WEBHOOK_SECRET, now: this.#now(), tampering };
		const request = await signedRequest(event, options);
		return this.env.SHOP.fetch(request, { signal: AbortSignal.timeout(WEBHOOK_TIMEOUT) });
	}

	/** Seconds that the account is ahead of this machine. */
	clockAdvance(): number {
		return this.#settings.current.clockAdvance;
	}

	/** Carries out a control. Answers, as JSON, what came of it, once it has. */
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
			case "calm":
				return this.#settings.change(calm);
		}
	}

	/** What there is to see, as the JSON of an AccountState. Client secrets are left out: each opens a payment. */
	state(): string {
		const newest = { limit: 50, startingAfter: undefined, endingBefore: undefined };
		const all = () => true;
		const events = this.#store.list("event", newest, all)?.data ?? [];
		const state: AccountState = {
			now: this.#now(),
			settings: this.#settings.current,
			paymentIntents: this.#store.list("payment_intent", newest, all)?.data ?? [],
			refunds: this.#store.list("refund", newest, all)?.data ?? [],
			events: events.map((event) => ({ event, delivery: this.#deliveries.find(event.id) ?? null })),
			journal: this.#journal.read(200),
		};
		return JSON.stringify(state, (name, value) => (name === "client_secret" ? null : value));
	}
}

function entryOf({ id, method, path, found, bearer }: Asked, key: string | null, form: string) {
	const isBrowser = (bearer ?? new URLSearchParams(form).get("key")) === PUBLISHABLE_KEY;
	const caller: Entry["caller"] = bearer === SECRET_KEY ? "server" : isBrowser ? "browser" : "nobody";
	return { request_id: id, caller, endpoint: found?.route.name ?? null, method, path, idempotency_key: key };
}

function outcomeOf({ status, replayed }: Answer & { replayed: boolean }) {
	return { status, replayed };
}

function nameOf(fault: ApiFault | undefined): string | null {
	return fault ? `${fault.fault} ${fault.when}` : null;
}
