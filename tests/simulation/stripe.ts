import { StripeEmulatorAccount } from "stripe-emulator/account.ts";
import { calm } from "stripe-emulator/controls/settings.ts";
import { PUBLISHABLE_KEY, SECRET_KEY } from "stripe-emulator/keys.ts";
import { streamedBody } from "../support/streamed-body.ts";
import { Sqlite } from "./database.ts";
import { faultsOf, type Outgoing } from "./scheduler.ts";
import { currentScope, Scope } from "./scope.ts";
import { durableState } from "./worker-runtime.ts";
import type { World } from "./world.ts";

/** The emulator's account, and the calls to it. */
export class Stripe {
	readonly #world: World;
	readonly database = new Sqlite();
	/** A payment about which it never responds. */
	broken: string | null = null;
	readonly #answers = new Map<string, Answer>();
	#account: StripeEmulatorAccount;

	constructor(world: World) {
		this.#world = world;
		this.#account = this.#open();
	}

	/** Keeps events for `deliverEvent`, in place of sending them. */
	async holdEvents(): Promise<void> {
		await this.#account.control({ ...calm.webhooks, control: "webhooks", mode: "hold" });
	}

	reset(): void {
		this.broken = null;
		this.database.reset();
		this.#account = this.#open();
	}

	/** A call that the server makes. */
	serverCalls(scope: Scope, url: string, init: RequestInit = {}): Promise<Response> {
		const method = init.method ?? "GET";
		return this.#call(scope, url, init, {
			faults: faultsOf(scope, "Stripe", method !== "GET"),
			touches: touchedBy(method, url),
			signal: init.signal,
		});
	}

	/** A call that the browser makes. */
	async browserCalls(
		scope: Scope,
		method: "GET" | "POST",
		path: string,
		parameters: Record<string, string>,
		slow: boolean,
	): Promise<Record<string, unknown>> {
		const form = new URLSearchParams({ ...parameters, key: PUBLISHABLE_KEY });
		const url = `https://stripe/v1/${path}`;
		const response = await this.#call(
			scope,
			method === "GET" ? `${url}?${form}` : url,
			method === "GET" ? {} : { method, body: form.toString() },
			{
				faults:
					method === "GET" ? ["fail", "late", "clock"] : ["fail", "lose", "crash", "late", "late response", "clock"],
				touches: withOwn(touchedBy(method, url), scope.task.name),
				slow,
			},
		);
		return response.json();
	}

	/** A refund that is made in Stripe's dashboard. */
	async refundByHand(id: string): Promise<void> {
		const headers = { Authorization: `Bearer ${SECRET_KEY}` };
		const init = { method: "POST", headers, body: `payment_intent=${id}` };
		const touches = { reads: [], writes: ["Stripe", id] };
		await this.#call(currentScope(), "https://stripe/v1/refunds", init, { faults: [], touches });
	}

	/** The newest event of a type, as JSON. */
	findEvent(type: string): string | null {
		const query = "select object from objects where kind = 'event' and object ->> '$.type' = ? order by position desc";
		const [found] = this.database.all(query, [type]);
		return found ? String(found["object"]) : null;
	}

	/** A call to Stripe's API that waits for its turn. */
	async #call(
		scope: Scope,
		url: string,
		init: RequestInit,
		options: Pick<Outgoing<unknown>, "faults" | "touches" | "signal" | "slow">,
	): Promise<Response> {
		const answer = await this.#world.scheduler.call(scope, {
			...options,
			label: () => `Stripe: ${init.method ?? "GET"} ${new URL(url).pathname}${new URL(url).search}`,
			make: () => this.#ask(url, init),
			lost: () => new TypeError("fetch failed"),
			textOf: ({ status, text }) => `${status} ${text}`,
		});
		return plainResponse(answer);
	}

	/** The account's response. A GET changes nothing, and most are repeated in one schedule after the other. */
	async #ask(url: string, { method, headers, body }: RequestInit) {
		if (this.broken && url.includes(this.broken)) throw new TypeError("fetch failed");
		if (method === "POST") {
			this.#world.invariants.stripeChanged();
			const response = await this.#account.fetch(
				new Request(url, { method, headers: headers ?? {}, ...streamedBody(String(body ?? "")) }),
			);
			return { status: response.status, headers: response.headers, text: await response.text() };
		}
		const key = `${this.#world.now()} ${this.#world.invariants.stripeState} ${url}`;
		const known = this.#answers.get(key);
		if (known) return known;
		// in a scope of its own: what a cached response has not drawn from the caller's random numbers, no other may
		const response = await new Scope("a GET", { name: "Stripe" }).run(() =>
			this.#account.fetch(new Request(url, { headers: headers ?? {} })),
		);
		const answer = { status: response.status, headers: response.headers, text: await response.text() };
		this.#answers.set(key, answer);
		return answer;
	}

	#open(): StripeEmulatorAccount {
		const alarms = new Scope("Stripe's clock", { name: "Stripe" });
		const state = durableState(this.database, (ms) => {
			this.#world.clock.clearOf(alarms);
			this.#world.clock.set(alarms, ms - this.#world.clock.ms, () => {
				this.#world.invariants.stripeChanged();
				void this.#account.alarm();
			});
		});
		return Reflect.construct(StripeEmulatorAccount, [state, {}]);
	}
}

/** What a server's call to Stripe reads and writes: an intent by its id, and everything else as one. */
function touchedBy(method: string, url: string) {
	const [, id] = /payment_intents\/(\w+)/.exec(url) ?? [];
	const own = id ? [id] : [];
	if (method === "GET") return { reads: id && !url.includes("expand") ? own : ["Stripe", ...own], writes: [] };
	return { reads: [], writes: ["Stripe", ...own] };
}

/** The same, and what only the tab's own task touches. */
function withOwn({ reads, writes }: ReturnType<typeof touchedBy>, own: string) {
	return { reads, writes: [...writes, own] };
}

interface Answer {
	status: number;
	headers: Headers;
	text: string;
}

/** What the SDK and a tab read of a Response, without the streams of a real one. */
function plainResponse({ status, headers, text }: Answer): Response {
	const response = { status, headers, body: null, text: async () => text, json: async () => JSON.parse(text) };
	return Object.assign(Object.create(null), response);
}
