import { StripeEmulatorAccount } from "stripe-emulator/account.ts";
import { calm } from "stripe-emulator/controls/settings.ts";
import { PUBLISHABLE_KEY, SECRET_KEY } from "stripe-emulator/keys.ts";
import { streamedBody } from "../support/streamed-body.ts";
import { Sqlite } from "./database.ts";
import { faultsOf, type Outgoing } from "./scheduler.ts";
import { currentScope, Scope } from "./scope.ts";
import { durableState } from "./worker-runtime.ts";
import type { World } from "./world.ts";

/** The secret key of another account, which has no payment of this shop. */
export const otherKey = "sk_of_another_account";

/** The faults of a browser's POST to Stripe. */
const confirmFaults = ["fail", "lose", "crash", "late", "late response", "clock"] as const;

/** The emulator's account and the calls to it. */
export class Stripe {
	readonly #world: World;
	readonly database = new Sqlite();
	/** The ids of payments of which all API calls that match `brokenCalls` fail. */
	readonly broken = new Set<string>();
	brokenCalls = /./;
	/** Time that each call that fails takes, in virtual milliseconds. */
	slow = 0;
	/** The calls in the current schedule: method, URL and body. */
	readonly calls: string[] = [];
	readonly #cached = new Map<string, ReadResponse>();
	#account: StripeEmulatorAccount;
	/** The other account, which no test changes. */
	readonly #other = new Sqlite();

	constructor(world: World) {
		this.#world = world;
		this.#account = this.#open();
	}

	/** Keeps events for `deliverEvent` instead of sending them. */
	async holdEvents(): Promise<void> {
		await this.#account.control({ ...calm.webhooks, control: "webhooks", mode: "hold" });
	}

	reset(): void {
		this.broken.clear();
		this.brokenCalls = /./;
		this.calls.length = 0;
		this.database.reset();
		this.#account = this.#open();
	}

	serverCalls(url: string, init: RequestInit = {}): Promise<Response> {
		const method = init.method ?? "GET";
		return this.#call(url, init, {
			faults: faultsOf(currentScope(), "Stripe", method !== "GET"),
			touches: touchedBy(method, url),
			signal: init.signal,
			onCrash: () => this.#world.monitor.crashes(),
		});
	}

	async browserCalls(
		method: "GET" | "POST",
		path: string,
		parameters: Record<string, string>,
		slow: boolean,
	): Promise<Record<string, unknown>> {
		const form = new URLSearchParams({ ...parameters, key: PUBLISHABLE_KEY });
		const url = `https://stripe/v1/${path}`;
		const { reads, writes } = touchedBy(method, url);
		const touches = { reads, writes: [...writes, currentScope().task] };
		const response =
			method === "GET"
				? this.#call(`${url}?${form}`, {}, { faults: ["fail", "late", "clock"], touches, slow })
				: this.#call(url, { method, body: form.toString() }, { faults: confirmFaults, touches, slow });
		return (await response).json();
	}

	/** Refunds a payment, in full or `amount` cents, as an operator does in Stripe's Dashboard. */
	refundByHand(id: string, amount?: number): Promise<void> {
		return this.#operatorCalls("refunds", id, `payment_intent=${id}${amount ? `&amount=${amount}` : ""}`);
	}

	/** Cancels a payment, as an operator does in Stripe's Dashboard, which offers it only if it is not paid. */
	cancelByHand(id: string): Promise<void> {
		return this.#operatorCalls(`payment_intents/${id}/cancel`, id);
	}

	async #operatorCalls(path: string, id: string, body = ""): Promise<void> {
		const headers = { Authorization: `Bearer ${SECRET_KEY}` };
		const touches = { reads: [], writes: ["Stripe", id] };
		await this.#call(`https://stripe/v1/${path}`, { method: "POST", headers, body }, { faults: [], touches });
	}

	/** Cancels the payment's pending refund, as an operator can only do in Stripe's Dashboard. */
	cancelRefund(payment: string): Promise<void> {
		return this.#world.scheduler.call(currentScope(), {
			label: () => `the operator cancels the refund of ${payment}`,
			touches: { reads: [], writes: ["Stripe", payment] },
			make: () => {
				const isPayments = `object ->> '$.payment_intent' = '${payment}'`;
				this.database.exec(`
					delete from due where id in (select id from objects where kind = 'refund' and ${isPayments});
					update objects set object = json_set(object, '$.status', 'canceled') where kind = 'refund' and ${isPayments};
					update objects set object = json_set(object, '$.refunded', json('false'), '$.amount_refunded', 0)
						where kind = 'charge' and ${isPayments};
					insert into objects (kind, id, object) select 'event', 'evt_canceled_' || refund.id, json_set(event.object,
						'$.id', 'evt_canceled_' || refund.id, '$.type', 'refund.updated', '$.created', ${this.#world.now()},
						'$.data.object', json(refund.object))
						from objects event, objects refund where event.kind = 'event' and refund.kind = 'refund'
						and refund.object ->> '$.payment_intent' = '${payment}' limit 1`);
			},
		});
	}

	/** Returns the newest event of a type, as JSON. */
	findEvent(type: string): string | null {
		const query = "select object from objects where kind = 'event' and object ->> '$.type' = ? order by position desc";
		const [found] = this.database.all(query, [type]);
		return found ? String(found["object"]) : null;
	}

	/** Sends a request of the current scope to Stripe's API through the scheduler. */
	async #call(
		url: string,
		init: RequestInit,
		options: Pick<Outgoing<unknown>, "faults" | "touches" | "signal" | "slow" | "onCrash">,
	): Promise<Response> {
		const response = await this.#world.scheduler.call(currentScope(), {
			...options,
			label: () => `Stripe: ${init.method ?? "GET"} ${new URL(url).pathname}${new URL(url).search}`,
			make: () => this.#send(url, init),
			lost: () => new TypeError("fetch failed"),
			textOf: ({ status, text }) => `${status} ${text}`,
		});
		return plainResponse(response);
	}

	/** Returns the account's response. Caches GET responses, because most schedules repeat them. */
	async #send(url: string, { method, headers, body }: RequestInit) {
		const call = `${method ?? "GET"} ${url} ${body ?? ""}`;
		this.calls.push(call);
		const [id = ""] = /pi_[A-Za-z0-9]+/.exec(call) ?? [];
		if (this.broken.has(id) && this.brokenCalls.test(call)) {
			this.#world.clock.ms += this.slow;
			throw new TypeError("fetch failed");
		}
		const given = new Headers(headers);
		const isOther = given.get("Authorization")?.endsWith(otherKey);
		// the emulator has only one key
		if (isOther) given.set("Authorization", `Bearer ${SECRET_KEY}`);
		const account = isOther ? this.#open(this.#other) : this.#account;
		const content = method === "POST" ? { method, ...streamedBody(String(body ?? "")) } : {};
		const fetch = async () => readResponse(await account.fetch(new Request(url, { headers: given, ...content })));
		if (method === "POST" || isOther) return fetch();
		const key = `${this.#world.now()} ${this.#world.monitor.stripeState} ${url}`;
		// in its own scope: like a cached response, it must not use any of the caller's random numbers
		const response = this.#cached.get(key) ?? (await new Scope("a GET", "Stripe").run(fetch));
		this.#cached.set(key, response);
		return response;
	}

	#open(database = this.database): StripeEmulatorAccount {
		const alarms = new Scope("Stripe's clock", "Stripe");
		const state = durableState(database, (ms) => {
			this.#world.clock.clearOf(alarms);
			this.#world.clock.set(alarms, ms - this.#world.clock.ms, () => void this.#account.alarm());
		});
		return Reflect.construct(StripeEmulatorAccount, [state, {}]);
	}
}

/** Returns what a request to Stripe reads and writes: an intent's id, or "Stripe" for everything else. */
function touchedBy(method: string, url: string) {
	const [, id] = /payment_intents\/(\w+)/.exec(url) ?? [];
	const own = id ? [id] : [];
	if (method === "GET") return { reads: id && !url.includes("expand") ? own : ["Stripe", ...own], writes: [] };
	return { reads: [], writes: ["Stripe", ...own] };
}

/** Returns a response that can be read again. */
async function readResponse(response: Response) {
	return { status: response.status, headers: response.headers, text: await response.text() };
}
type ReadResponse = Awaited<ReturnType<typeof readResponse>>;

/** Returns the parts of a Response that the SDK and a tab read, without streams. */
function plainResponse({ status, headers, text }: ReadResponse): Response {
	const response = { status, headers, body: null, text: async () => text, json: async () => JSON.parse(text) };
	return Object.assign(Object.create(null), response);
}
