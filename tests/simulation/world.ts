import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import * as z from "zod/mini";
import type { BasketItem } from "#app/basket/basket.ts";
import { StripeEmulatorAccount } from "../../stripe-emulator/account.ts";
import { calm } from "../../stripe-emulator/controls/settings.ts";
import { PUBLISHABLE_KEY, SECRET_KEY } from "../../stripe-emulator/keys.ts";
import { Clock } from "./clock.ts";
import { type D1Call, d1On, Sqlite } from "./database.ts";
import { replaceGlobals } from "./globals.ts";
import { Invariants } from "./invariants.ts";
import { type Option, type Outgoing, Scheduler } from "./scheduler.ts";
import { currentScope, Scope } from "./scope.ts";
import { type Reach, receiveEvent, rememberCatalogue, runCron } from "./shop.ts";
import { openedSdks } from "./stripe-sdk.ts";
import { durableState } from "./worker-runtime.ts";

const itemQuery = "select id, title, price_cents as priceCents, rating, image from products where id = ?";
const item = z.object({
	...{ id: z.string(), title: z.string(), image: z.string() },
	...{ priceCents: z.number(), rating: z.number() },
});

/** 2027-01-15, in milliseconds. */
const start = 1_800_000_000_000;

/** The shop, the emulator's account and whoever uses them, in one process, on virtual time. */
export class World {
	readonly clock = new Clock();
	readonly scheduler = new Scheduler(this.clock);
	readonly shop = new Sqlite();
	readonly stripe = new Sqlite();
	readonly invariants = new Invariants(this);
	/** Customers by the value of their session cookie. */
	readonly customers = new Map<string, { id: string; email: string }>();
	/** A payment about which Stripe never responds. */
	broken: string | null = null;
	readonly #answers = new Map<string, Answer>();
	#account: StripeEmulatorAccount;
	#startedAt = start;
	#restore: () => void = () => undefined;

	constructor() {
		const folder = new URL("../../migrations/", import.meta.url);
		for (const file of readdirSync(folder).toSorted()) {
			if (file.endsWith(".sql")) this.shop.exec(readFileSync(new URL(file, folder), "utf8"));
		}
		for (const id of ["alice", "bob"]) {
			this.shop.exec(`insert into users values ('${id}', '${id}@example.com', '', 0)`);
			this.customers.set(`session-of-${id}`, { id, email: `${id}@example.com` });
		}
		this.clock.reset(start);
		this.#account = this.#openAccount();
	}

	/** Runs `prepare` as the start from which every schedule begins; nothing is interleaved in it. */
	async prepare<Result>(prepare: () => Promise<Result>): Promise<Result> {
		openedSdks.clear();
		this.#restore = replaceGlobals(this.clock);
		const hold = { ...calm.webhooks, control: "webhooks", mode: "hold" } as const;
		await this.scope("start").run(() => this.#account.control(hold));
		const result = await this.uninterrupted("start", async () => {
			await rememberCatalogue(this.reach(currentScope()));
			return prepare();
		});
		this.#startedAt = this.clock.ms;
		this.invariants.mark();
		this.shop.mark();
		this.stripe.mark();
		return result;
	}

	close(): void {
		this.#restore();
	}

	/** Goes back to the start. */
	reset(): void {
		this.broken = null;
		this.scheduler.reset();
		this.clock.reset(this.#startedAt);
		this.shop.reset();
		this.stripe.reset();
		this.#account = this.#openAccount();
		this.invariants.reset();
	}

	scope(name: string): Scope {
		return new Scope(name, { name });
	}

	/** Runs work to its end with every call going at once, in the order they are made. */
	async uninterrupted<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
		const results: Result[] = [];
		let failure: unknown;
		this.scheduler.start(this.scope(name), async () => {
			try {
				results.push(await work());
			} catch (error) {
				failure = error;
			}
		});
		await this.drain(Number.POSITIVE_INFINITY);
		const [result] = results;
		if (result === undefined) throw failure ?? new Error(`${name} did not end.`);
		return result;
	}

	/** Takes the default step until nothing is left to do by `horizon` (milliseconds). */
	async drain(
		horizon: number,
		take: (option: Option) => Promise<unknown> = (option) => this.scheduler.take(option),
	): Promise<void> {
		await this.scheduler.quiet();
		for (;;) {
			const [option] = this.scheduler.options(horizon, false);
			if (!option) return;
			await take(option);
			this.invariants.look();
		}
	}

	/** Basket items at the catalogue's prices. */
	products(...ids: string[]): BasketItem[] {
		return ids.flatMap((id) => z.array(item).parse(this.shop.all(itemQuery, [id])));
	}

	now(): number {
		return Math.floor(this.clock.ms / 1000);
	}

	/** One run of the cron, in the present scope. Like a run that fails, one that is killed is left to the next. */
	async cron(): Promise<void> {
		await runCron(this.reach(currentScope())).catch(() => undefined);
	}

	/** What a scope's code at the server can reach. Only a request has a time limit that a late call to D1 can exceed. */
	reach(scope: Scope, isRequest = false): Reach {
		return {
			now: () => this.now(),
			d1: d1On(this.shop, (call) => this.#callD1(scope, call, isRequest)),
			// by the present scope: all of them share one SDK
			stripe: (input, init) => this.#serverCallsStripe(currentScope(), String(input), init),
			notify: (userId) =>
				this.scheduler.call(scope, {
					label: () => `feed: notify ${userId}`,
					faults: ["fail"],
					touches: { reads: ["orders"], writes: [`feed of ${userId}`] },
					make: () => this.invariants.notified(userId),
					lost: () => new Error("Network connection lost."),
					textOf: () => "notified",
				}),
		};
	}

	#callD1(scope: Scope, { statements, make }: D1Call, isRequest: boolean): Promise<string> {
		const touches = {
			reads: statements.flatMap(({ tables }) => tables.reads),
			writes: statements.flatMap(({ tables }) => tables.writes),
		};
		const writes = touches.writes.length > 0;
		return this.scheduler.call(scope, {
			label: () => `D1: ${statements.map(({ sql, values }) => `${shorten(sql)} ${JSON.stringify(values)}`).join("; ")}`,
			faults: writes ? writeFaults.filter((fault) => isRequest || fault !== "late") : readFaults,
			touches,
			make: () => {
				if (writes) this.invariants.shopChanged(touches.writes);
				try {
					return make();
				} catch (error) {
					throw new Error(`D1_ERROR: ${error instanceof Error ? error.message : error}`);
				}
			},
			lost: () => new Error("D1_ERROR: Network connection lost."),
			textOf: (text) => text,
		});
	}

	async #serverCallsStripe(scope: Scope, url: string, init: RequestInit = {}) {
		const method = init.method ?? "GET";
		return this.#callStripe(scope, url, init, {
			faults: method === "GET" ? readFaults : writeFaults,
			touches: touchedBy(method, url),
			signal: init.signal,
		});
	}

	/** A call to Stripe's API that waits for its turn. */
	async #callStripe(
		scope: Scope,
		url: string,
		init: RequestInit,
		options: Pick<Outgoing<unknown>, "faults" | "touches" | "signal" | "slow">,
	): Promise<Response> {
		const answer = await this.scheduler.call(scope, {
			...options,
			label: () => `Stripe: ${init.method ?? "GET"} ${new URL(url).pathname}${new URL(url).search}`,
			make: () => this.#askAccount(url, init),
			lost: () => new TypeError("fetch failed"),
			textOf: ({ status, text }) => `${status} ${text}`,
		});
		return plainResponse(answer);
	}

	/** The account's response. A GET changes nothing, and most are repeated in one schedule after the other. */
	async #askAccount(url: string, { method, headers, body }: RequestInit) {
		if (this.broken && url.includes(this.broken)) throw new TypeError("fetch failed");
		if (method === "POST") {
			this.invariants.stripeChanged();
			const response = await this.#account.fetch(
				new Request(url, { method, headers: headers ?? {}, body: body ?? "" }),
			);
			return { status: response.status, headers: response.headers, text: await response.text() };
		}
		const key = `${this.now()} ${this.invariants.stripeState} ${url}`;
		const known = this.#answers.get(key);
		if (known) return known;
		// in a scope of its own: what a cached response has not drawn from the caller's random numbers, no other may
		const response = await this.scope("a GET").run(() =>
			this.#account.fetch(new Request(url, { headers: headers ?? {} })),
		);
		const answer = { status: response.status, headers: response.headers, text: await response.text() };
		this.#answers.set(key, answer);
		return answer;
	}

	/** Something that the people who run the shop do: in its database, or with Stripe's dashboard. */
	async operator(label: string, work: { sql: string } | { refund: string }): Promise<void> {
		const headers = { Authorization: `Bearer ${SECRET_KEY}` };
		if ("refund" in work) {
			const init = { method: "POST", headers, body: `payment_intent=${work.refund}` };
			const touches = { reads: [], writes: ["Stripe", work.refund] };
			await this.#callStripe(currentScope(), "https://stripe/v1/refunds", init, { faults: [], touches });
			return;
		}
		await this.scheduler.call(currentScope(), {
			faults: [],
			touches: this.shop.tablesOf(work.sql),
			label: () => label,
			make: () => {
				this.invariants.shopChanged(this.shop.tables);
				this.shop.exec(work.sql);
			},
			lost: () => new Error("never lost"),
			textOf: () => "",
		});
	}

	/** A call that the browser makes to Stripe. */
	async browserCallsStripe(
		scope: Scope,
		method: "GET" | "POST",
		path: string,
		parameters: Record<string, string>,
		slow: boolean,
	): Promise<Record<string, unknown>> {
		const form = new URLSearchParams({ ...parameters, key: PUBLISHABLE_KEY });
		const url = `https://stripe/v1/${path}`;
		const response = await this.#callStripe(
			scope,
			method === "GET" ? `${url}?${form}` : url,
			method === "GET" ? {} : { method, body: form.toString() },
			{
				faults: method === "GET" ? ["fail", "late"] : ["fail", "lose", "crash", "late", "late response"],
				touches: withOwn(touchedBy(method, url), scope.task.name),
				slow,
			},
		);
		return response.json();
	}

	/** Delivers an event until the shop has handled it. */
	async deliver(event: Parameters<typeof receiveEvent>[1], name: string): Promise<void> {
		for (let attempt = 1; ; attempt++) {
			const delivered = await new Promise<boolean>((resolve) => {
				const request = new Scope(`${name} ${attempt}`, currentScope().task);
				request.onDeath = () => resolve(false);
				this.scheduler.start(request, async () => {
					await receiveEvent(this.reach(request), event).then(
						() => resolve(true),
						() => resolve(false),
					);
				});
			});
			currentScope().note(`delivered: ${delivered}`);
			if (delivered) return;
			await new Promise<void>((resolve) => setTimeout(resolve, 10_000));
		}
	}

	/** The shopper reloads the page of a task: its code is gone, and what it has sent is not. */
	async reload(task: string): Promise<void> {
		await this.scheduler.call(currentScope(), {
			label: () => "the shopper reloads the page",
			faults: [],
			touches: null,
			make: () => {
				const page = [...this.scheduler.scopes].find(({ name }) => name === task);
				if (page?.alive) this.scheduler.kill(page);
			},
			lost: () => new Error("never lost"),
			textOf: () => "",
		});
	}

	/** Delivers the newest event of a type, as soon as there is one. */
	async webhook(type: string): Promise<void> {
		const event = await this.scheduler.call(currentScope(), {
			label: () => `Stripe sends ${type}`,
			faults: ["late"],
			touches: { reads: ["Stripe"], writes: [] },
			ready: () => this.#findEvent(type) !== null,
			make: () => this.#findEvent(type),
			lost: () => new Error("never lost"),
			textOf: () => "",
		});
		if (event) await this.deliver(JSON.parse(event), `${currentScope().name}, attempt`);
	}

	#findEvent(type: string): string | null {
		const query = "select object from objects where kind = 'event' and object ->> '$.type' = ? order by position desc";
		const [found] = this.stripe.all(query, [type]);
		return found ? String(found["object"]) : null;
	}

	/** A digest of everything on which the rest of a schedule depends. */
	get state(): string {
		return hash("md5", `${this.clock.ms}\n${this.scheduler.state}\n${this.invariants.state}`);
	}

	#openAccount(): StripeEmulatorAccount {
		const alarms = this.scope("Stripe's clock");
		const state = durableState(this.stripe, (ms) => {
			this.clock.clearOf(alarms);
			this.clock.set(alarms, ms - this.clock.ms, () => {
				this.invariants.stripeChanged();
				void this.#account.alarm();
			});
		});
		return Reflect.construct(StripeEmulatorAccount, [state, {}]);
	}
}

/** A late read is one whose task is preempted, or one that lets a timer fire. */
const readFaults = ["fail"] as const;
const writeFaults = ["fail", "lose", "crash", "late"] as const;

function shorten(sql: string): string {
	const text = sql.replaceAll(/["\s]+/g, " ").trim();
	return text.length > 90 ? `${text.slice(0, 90)}…` : text;
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
