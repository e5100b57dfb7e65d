import type { IntentFact, OrderFact, RefundFact } from "./facts.ts";
import { digestOfStripe, dumpTable, readIntents, readOrders, readRefunds } from "./facts.ts";
import { Owners } from "./owners.ts";
import { shopId } from "./shop.ts";
import type { World } from "./world.ts";

/** An invariant of a purchase, by its number in the design, that does not hold. */
export class Violation extends Error {
	readonly invariant: string;

	constructor(invariant: string, facts: string) {
		super(`${invariant}: ${facts}`);
		this.invariant = invariant;
	}
}

/** What a shopper reads about a payment. */
export type Sentence = "paid" | "refunded" | "checking" | "not charged";

interface Reader {
	/** Every PaymentIntent that the tab was ever given. */
	intents: Set<string>;
	reads: { intent: string; sentence: Sentence } | null;
	open: boolean;
}

/** What the databases hold after a step. */
export interface Facts {
	orders: OrderFact[];
	intents: Map<string, IntentFact>;
	refunds: RefundFact[];
	/** The shop's tables, as text. */
	tables: Record<string, string>;
	stripeDigest: string;
}

/** Holds the invariants of a purchase, during a schedule and at its end. */
export class Invariants {
	readonly #world: World;
	readonly #tabs = new Map<string, Reader>();
	readonly #notCharged = new Set<string>();
	readonly #elsewhere = new Set<string>();
	readonly #unnotified = new Set<string>();
	/** Payments whose refund was recorded while their metadata held no order. */
	readonly #decided = new Set<string>();
	#owners = new Owners();
	#startOwners = this.#owners;
	#facts: Facts = { orders: [], intents: new Map(), refunds: [], tables: {}, stripeDigest: "" };
	#start = this.#facts;
	#visible = new Map<string, string>();
	#found: Violation | null = null;
	/** The present facts have been checked. */
	#isHeld = false;
	readonly #newTables = new Set<string>();
	#stripeIsNew = true;

	constructor(world: World) {
		this.#world = world;
	}

	reset(): void {
		this.#tabs.clear();
		this.#notCharged.clear();
		this.#elsewhere.clear();
		this.#unnotified.clear();
		this.#decided.clear();
		this.#owners = this.#startOwners.copy();
		this.#facts = this.#start;
		this.#found = null;
		this.#isHeld = false;
		this.#newTables.clear();
		this.#stripeIsNew = false;
		this.#visible = this.#visibleOrders();
		this.#noteDecided();
	}

	/** What was placed until now belongs to the start of every schedule. */
	mark(): void {
		this.#startOwners = this.#owners.copy();
		this.shopChanged(this.#world.shop.tables);
		this.#read();
		this.#start = this.#facts;
	}

	shopChanged(tables: readonly string[]): void {
		for (const table of tables) this.#newTables.add(table);
	}

	stripeChanged(): void {
		this.#stripeIsNew = true;
	}

	get owners(): Owners {
		return this.#owners;
	}

	notified(userId: string): void {
		this.#unnotified.delete(userId);
	}

	tab(name: string): Reader {
		const known = this.#tabs.get(name) ?? { intents: new Set(), reads: null, open: true };
		this.#tabs.set(name, known);
		return known;
	}

	/** A tab shows what became of a payment. */
	told(name: string, intent: string, sentence: Sentence): void {
		this.tab(name).reads = { intent, sentence };
		if (sentence === "not charged" && !this.#elsewhere.has(intent)) this.#notCharged.add(intent);
		this.#isHeld = false;
		if (sentence === "paid") this.#holdPaid(name, intent, "I9");
	}

	/** The shopper confirms a card, whatever was shown before. */
	confirms(intent: string): void {
		this.#notCharged.delete(intent);
	}

	/** The card is confirmed elsewhere than in the tab: what the tab shows about it no longer counts. */
	confirmsElsewhere(intent: string): void {
		this.#elsewhere.add(intent);
	}

	emptied(name: string, intent: string): void {
		this.#holdPaid(name, intent, "I7");
	}

	/** What the databases hold. */
	get facts(): Facts {
		this.#read();
		return this.#facts;
	}

	/** What must hold at every moment. `facts` are those of the same step of an earlier schedule, where all of it held. */
	look(facts?: Facts): void {
		if (this.#found) throw this.#found;
		if (facts) {
			this.#recall(facts);
			return;
		}
		this.#read();
		if (this.#isHeld) return;
		this.#isHeld = true;
		for (const order of this.#facts.orders) this.#holdOrder(order);
		for (const [name, { intents }] of this.#tabs) {
			const chargeable = [...intents].filter((id) => isChargeable(this.#facts.intents.get(id)));
			if (chargeable.length > 1) throw new Violation("I5", `${name} has ${chargeable.join(" and ")}`);
		}
		this.#holdNotCharged();
		this.#noteVisible();
		this.#noteDecided();
	}

	#recall(facts: Facts): void {
		this.#newTables.clear();
		this.#stripeIsNew = false;
		this.#isHeld = true;
		if (facts === this.#facts) return;
		this.#facts = facts;
		this.#owners.saw(facts.orders);
		this.#noteVisible();
		this.#noteDecided();
	}

	#noteDecided(): void {
		for (const { id, copy } of this.#facts.intents.values()) {
			if (!copy && this.#facts.tables["refunds"]?.includes(id)) this.#decided.add(id);
		}
	}

	/** Notes whose visible orders have changed. */
	#noteVisible(): void {
		const visible = this.#visibleOrders();
		for (const user of new Set([...visible.keys(), ...this.#visible.keys()])) {
			if (visible.get(user) !== this.#visible.get(user)) this.#unnotified.add(user);
		}
		this.#visible = visible;
	}

	/** What must hold ten minutes after the last fault. */
	atEnd(): void {
		for (const intent of this.#facts.intents.values()) {
			if (intent.shop !== shopId || intent.id === this.#world.stripe.broken) continue;
			const order = this.#facts.orders.find(({ id }) => id === intent.id);
			const own = this.#refundsOf(intent.id);
			const returned = own.reduce((sum, { amount }) => sum + amount, 0);
			const state = `${intent.id} ${intent.status}, order ${order?.status}, refunds of ${returned} of ${intent.received}`;
			const isPaid = order?.status === "paid" && returned === 0;
			const isRefunded = order?.status !== "paid" && own.length === 1 && returned === intent.received;
			if (intent.status === "succeeded" && !isPaid && !isRefunded) throw new Violation("I1", state);
			if (intent.status !== "succeeded" && returned > 0) throw new Violation("I1", state);
			if (intent.copy && !this.#decided.has(intent.id) && own.some(({ shop }) => shop === shopId)) {
				throw new Violation("I1", `${state}: refunded automatically, though its metadata holds the order`);
			}
			if (order?.status === "paid" && !this.#owners.mayOwn(order)) {
				throw new Violation(
					"I4",
					`${order.id} belongs to ${order.user ?? order.guest}, ${this.#owners.describe(order)}`,
				);
			}
		}
		if (this.#unnotified.size > 0) {
			throw new Violation("I8", `${[...this.#unnotified]} was not notified of the last change of an order`);
		}
		for (const [name, tab] of this.#tabs) this.#holdReading(name, tab);
	}

	get isNothingOpen(): boolean {
		return this.#open().length === 0;
	}

	/** What must hold a day later. */
	nothingOpen(): void {
		if (!this.isNothingOpen) throw new Violation("I10", `still open after a day: ${this.#open()}`);
	}

	#open(): unknown[] {
		const open = this.#facts.orders.filter(({ status }) => status === "placed").map(({ id }) => id);
		const others = this.#world.shop.all(
			`select payment_intent_id id from refunds where status = 'pending'
			union all select payment_intent_id from unresolved_payments`,
		);
		return [...open, ...others.map(({ id }) => id)].filter((id) => id !== this.#world.stripe.broken);
	}

	/** A digest of the emulator's database. */
	get stripeState(): string {
		this.#read();
		return this.#facts.stripeDigest;
	}

	/** A digest of both databases and of what has been shown and promised. */
	get state(): string {
		this.#read();
		const tabs = [...this.#tabs].map(([name, { intents, reads, open }]) => [
			name,
			[...intents].toSorted(),
			reads,
			open,
		]);
		return [
			...[
				Object.values(this.#facts.tables),
				this.#facts.stripeDigest,
				JSON.stringify(tabs.toSorted()),
				[...this.#notCharged].toSorted(),
			],
			...[[...this.#unnotified].toSorted(), [...this.#decided].toSorted(), this.#owners.state],
		].join("\n");
	}

	#read(): void {
		const { shop } = this.#world;
		const stripe = this.#world.stripe.database;
		if (this.#newTables.size > 0) {
			const changed = [...this.#newTables].map((table) => [table, dumpTable(shop, table)]);
			const tables = { ...this.#facts.tables, ...Object.fromEntries(changed) };
			const hasOrders = this.#newTables.has("orders") || this.#newTables.has("order_items");
			this.#facts = { ...this.#facts, tables, orders: hasOrders ? readOrders(shop) : this.#facts.orders };
			this.#owners.saw(this.#facts.orders);
			this.#newTables.clear();
			this.#isHeld = false;
		}
		if (this.#stripeIsNew) {
			this.#facts = {
				...this.#facts,
				intents: readIntents(stripe),
				refunds: readRefunds(stripe),
				stripeDigest: digestOfStripe(stripe),
			};
			this.#stripeIsNew = false;
			this.#isHeld = false;
		}
	}

	#visibleOrders(): Map<string, string> {
		const visible = new Map<string, string>();
		for (const { id, user, status } of this.#facts.orders) {
			if (user && (status === "paid" || status === "refunded")) {
				visible.set(user, `${visible.get(user) ?? ""} ${id} ${status}`);
			}
		}
		return visible;
	}

	#holdOrder({ id, status, amount, items, sum }: OrderFact): void {
		const intent = this.#facts.intents.get(id);
		if (items === 0 && status !== "abandoned") throw new Violation("I6", `${id} is ${status} and has no items`);
		if (status !== "paid") return;
		if (intent?.status !== "succeeded") throw new Violation("I2", `${id} is paid, and Stripe says ${intent?.status}`);
		if (amount !== sum || amount !== intent.received) {
			throw new Violation("I3", `${id} is paid: amount ${amount}, items ${sum}, received ${intent.received}`);
		}
		// one that the operator makes may be recorded a little later
		if (this.#refundsOf(id).some(({ shop }) => shop === shopId)) {
			throw new Violation("I1", `${id} is paid, and the shop has refunded it`);
		}
	}

	#refundsOf(id: string): RefundFact[] {
		return this.#facts.refunds.filter(({ intent, status }) => intent === id && status !== "failed");
	}

	#holdNotCharged(): void {
		for (const id of this.#notCharged) {
			const status = this.#facts.intents.get(id)?.status;
			if (status === "succeeded" || status === "processing") {
				throw new Violation("I9", `the shopper reads "not charged" about ${id}, which is ${status}`);
			}
		}
	}

	#holdPaid(name: string, id: string, invariant: string): void {
		this.#read();
		const status = this.#facts.orders.find((order) => order.id === id)?.status;
		if (status === "paid" || status === "refunded") return;
		// thrown by the next look: this is a tab's own code
		this.#found ??= new Violation(invariant, `${name} took ${id} for paid, and its order is ${status}`);
	}

	#holdReading(name: string, { reads, open }: Reader): void {
		if (!reads || !open || reads.sentence !== "checking") return;
		const order = this.#facts.orders.find(({ id }) => id === reads.intent)?.status;
		const intent = this.#facts.intents.get(reads.intent)?.status;
		if (order === "paid" || order === "refunded" || intent === "canceled") {
			throw new Violation("I9", `${name} still reads "checking", and the order is ${order}, the payment ${intent}`);
		}
	}
}

function isChargeable(intent: IntentFact | undefined): boolean {
	return intent !== undefined && (intent.status.startsWith("requires_") || intent.status === "processing");
}
