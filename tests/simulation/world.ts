import { hash } from "node:crypto";
import { SECRET_KEY } from "stripe-emulator/keys.ts";
import { type D1Call, d1On } from "../support/d1.ts";
import type { Browser } from "./browser.ts";
import { Clock } from "./clock.ts";
import { Sqlite } from "./database.ts";
import { type Logged, replaceGlobals } from "./globals.ts";
import { Monitor } from "./monitor.ts";
import { faultsOf, type Option, Scheduler } from "./scheduler.ts";
import { currentScope, Scope } from "./scope.ts";
import { cacheCatalogue, openServices, type Services, type Settings } from "./shop.ts";
import { Stripe } from "./stripe.ts";
import { openedSdks } from "./stripe-sdk.ts";
import { cut } from "./trace.ts";

/** 2027-01-15, in milliseconds since 1970. */
const start = 1_800_000_000_000;

/** The SHOP_ID in the metadata of the shop's payments. */
export const shopId = "half-dozen";

/** The shop, the emulator's account and their clients in one process on virtual time. */
export class World {
	readonly clock = new Clock();
	readonly scheduler = new Scheduler(this.clock);
	readonly shop = Sqlite.ofShop();
	readonly monitor = new Monitor(this);
	readonly stripe: Stripe;
	/** Customers by the value of their session cookie. */
	readonly customers = new Map<string, { id: string; email: string }>();
	/** The browsers of the current schedule. */
	readonly browsers: Browser[] = [];
	/** The settings of the Worker's next requests. */
	settings: Settings = { secretKey: SECRET_KEY, shopId };
	#startSettings = this.settings;
	/** The lines that the shop has logged in the current schedule. */
	readonly logs: Logged[] = [];
	/** A D1 replica with the data from the start of the schedule. */
	#replica = this.shop;
	#startedAt = start;
	#restore: () => void = () => undefined;

	constructor() {
		for (const id of ["alice", "bob"]) {
			const email = `${id}@example.com`;
			this.shop.insert("users", { id, email, password_hash: "", created_at: 0 });
			this.customers.set(`session-of-${id}`, { id, email });
		}
		this.clock.reset(start);
		this.stripe = new Stripe(this);
	}

	/** Runs `prepare` without interleaving. Every schedule starts from the resulting state. */
	async prepare<Result>(prepare: () => Promise<Result>): Promise<Result> {
		openedSdks.clear();
		this.#restore = replaceGlobals(this.clock, this.logs);
		await new Scope("start").run(() => this.stripe.holdEvents());
		let outcome: PromiseSettledResult<Result> | undefined;
		this.scheduler.start(new Scope("start"), async () => {
			await cacheCatalogue(this.servicesOf(currentScope()));
			[outcome] = await Promise.allSettled([prepare()]);
		});
		await this.drain(Number.POSITIVE_INFINITY);
		if (outcome?.status !== "fulfilled") throw outcome?.reason ?? new Error("The preparation did not finish.");
		this.#startedAt = this.clock.ms;
		this.#startSettings = this.settings;
		this.monitor.mark();
		this.#replica = this.shop.copy();
		this.shop.mark();
		this.stripe.database.mark();
		return outcome.value;
	}

	close(): void {
		this.#restore();
	}

	/** Restores the state at the start of every schedule. */
	reset(): void {
		this.browsers.length = 0;
		this.logs.length = 0;
		this.settings = this.#startSettings;
		this.scheduler.reset();
		this.clock.reset(this.#startedAt);
		this.shop.reset();
		this.stripe.reset();
		this.monitor.reset();
	}

	/** Takes default steps until none is left before `horizon`, in virtual milliseconds since 1970. */
	async drain(
		horizon: number,
		take: (option: Option) => Promise<unknown> = (option) => this.scheduler.take(option),
	): Promise<void> {
		await this.scheduler.settle();
		for (;;) {
			const [option] = this.scheduler.options(horizon, false);
			if (!option) return;
			await take(option);
			this.monitor.check();
		}
	}

	now(): number {
		return Math.floor(this.clock.ms / 1000);
	}

	/** Returns the services of a scope's server code. */
	servicesOf(scope: Scope): Services {
		return openServices(this.settings, {
			now: () => this.now(),
			d1: d1On((call) => this.#callD1(scope, call)),
			// in the current scope, not `scope`, because all scopes share one SDK
			stripe: (input, init) => this.stripe.serverCalls(String(input), init),
			notify: (userId) =>
				this.scheduler.call(scope, {
					label: () => `feed: notify ${userId}`,
					faults: ["fail"],
					touches: { reads: ["orders"], writes: [`feed of ${userId}`] },
					make: () => this.monitor.notified(userId),
					lost: () => new Error("Network connection lost."),
					textOf: () => "notified",
				}),
		});
	}

	#callD1(scope: Scope, call: D1Call): Promise<string> {
		const { statements, nearest } = call;
		const tables = statements.map(({ sql }) => this.shop.tablesOf(sql));
		const touches = { reads: tables.flatMap(({ reads }) => reads), writes: tables.flatMap(({ writes }) => writes) };
		const writes = touches.writes.length > 0;
		return this.scheduler.call(scope, {
			label: () => `D1: ${statements.map(({ sql, values }) => `${shorten(sql)} ${JSON.stringify(values)}`).join("; ")}`,
			faults: faultsOf(scope, "D1", writes),
			touches,
			make: () => (nearest ? this.#replica : this.shop).perform(call),
			onCrash: () => this.monitor.crashes(),
			lost: () => new Error("D1_ERROR: Network connection lost."),
			textOf: (text) => text,
		});
	}

	/** A digest of everything that the rest of a schedule depends on. */
	get state(): string {
		const browsers = this.browsers.map(({ state }) => state);
		const settings = JSON.stringify(this.settings);
		return hash("md5", [this.clock.ms, settings, this.scheduler.state, this.monitor.state, ...browsers].join("\n"));
	}
}

function shorten(sql: string): string {
	return cut(sql.replaceAll(/["\s]+/g, " ").trim(), 90);
}
