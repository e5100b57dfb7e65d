import { checkOneChargeable, checkOrder, checkPayment, Violation } from "./invariants.ts";
import { Owners } from "./owners.ts";
import { guestHashes } from "./shop.ts";
import { canonical, digestStripe, type Refund, readChanges, type Snapshot } from "./snapshot.ts";
import { shopId, type World } from "./world.ts";

/** The status of a payment as the page shows it to the shopper. */
export type Sentence = "paid" | "refunded" | "checking" | "not charged";

class TabView {
	/** The id of every PaymentIntent that the tab was given. */
	readonly intents = new Set<string>();
	reads: { intent: string; sentence: Sentence } | null = null;
	open = true;
	/** Whether the page shows "Processing". */
	isPaying = false;
	/** The total, in cents, and the currency that the page shows beside Buy Now. */
	shown: { amount: number; currency: string } | null = null;
	/** The payment that Stripe.js is confirming. */
	confirming: string | null = null;
}

/** What has happened in the current schedule and later checks depend on. */
const newHistory = () => ({
	tabs: new Map<string, TabView>(),
	/** Payments that were shown to the shopper as "not charged". */
	notCharged: new Set<string>(),
	confirmedElsewhere: new Set<string>(),
	/** Customers whose feed was not notified of the last change of their orders. */
	unnotified: new Set<string>(),
	/** Those of them whose feed the next caller notifies, because the shop's code has stopped. */
	interrupted: new Set<string>(),
	/** Payments that have or had an order. */
	ordered: new Set<string>(),
});

/** Checks the invariants after every step of a schedule and at its end. */
export class Monitor {
	readonly #world: World;
	#history = newHistory();
	owners = new Owners();
	#startOwners = this.owners;
	#snapshot: Snapshot = { orders: [], intents: new Map(), refunds: [], tables: {} };
	#start = this.#snapshot;
	#visible = new Map<string, string>();
	#found: Violation | null = null;
	/** Whether the invariants of the current snapshot have been checked. */
	#isChecked = false;

	constructor(world: World) {
		this.#world = world;
	}

	reset(): void {
		this.#history = newHistory();
		this.owners = this.#startOwners.copy();
		this.#snapshot = this.#start;
		this.#found = null;
		this.#isChecked = false;
		this.#visible = this.#visibleOrders();
	}

	/** Marks the current state as the one that `reset` restores. */
	mark(): void {
		this.#startOwners = this.owners.copy();
		// reads all tables, so that the state lists them in the same order in every schedule
		for (const table of this.#world.shop.tables) this.#world.shop.changed.add(table);
		this.#read();
		this.#start = this.#snapshot;
	}

	notified(userId: string): void {
		this.#history.unnotified.delete(userId);
	}

	/** Records that the shop's code has stopped, maybe between a change of a customer's orders and the notification. */
	crashes(): void {
		this.#read();
		this.#noteVisible();
		for (const user of this.#history.unnotified) this.#history.interrupted.add(user);
	}

	/** Returns a function to call when the shop has handled a request about a payment that begins now. It must notify the
	 *  customer whose notification was interrupted before. */
	handling(intent: string): () => void {
		this.#read();
		const user = this.#snapshot.orders.find(({ id }) => id === intent)?.user ?? "";
		const { interrupted } = this.#history;
		return interrupted.has(user) ? () => void interrupted.delete(user) : () => {};
	}

	tab(name: string): TabView {
		const view = this.#history.tabs.get(name) ?? new TabView();
		this.#history.tabs.set(name, view);
		return view;
	}

	/** Records the outcome that a tab shows. */
	shows(name: string, intent: string, sentence: Sentence): void {
		this.tab(name).reads = { intent, sentence };
		if (sentence === "not charged" && !this.#history.confirmedElsewhere.has(intent))
			this.#history.notCharged.add(intent);
		this.#isChecked = false;
		if (sentence === "paid") this.#checkPaid(name, intent, "I9");
	}

	/** Records a new confirmation, after which an earlier "not charged" no longer counts. Checks that it charges what the
	 *  tab shows. Returns a function to call when the confirmation ends. */
	confirms(name: string, intent: string): () => void {
		this.#history.notCharged.delete(intent);
		const tab = this.tab(name);
		tab.confirming = intent;
		this.#checkShown(name, intent);
		return () => {
			tab.confirming = null;
		};
	}

	/** Checks that a tab does not cancel a payment that another open tab is confirming. */
	cancels(name: string, intent: string): void {
		for (const [other, { open, confirming }] of this.#history.tabs) {
			if (other === name || !open || confirming !== intent) continue;
			this.#found ??= new Violation("I9", `${name} cancels ${intent}, which ${other} is confirming`);
		}
	}

	/** Records a confirmation outside the tab, after which "not charged" in the tab no longer rules out a charge. */
	confirmsElsewhere(intent: string): void {
		this.#history.confirmedElsewhere.add(intent);
	}

	/** Checks that the order is paid, and that none of its items is `kept` in the basket. */
	emptiesBasket(name: string, intent: string, kept: readonly unknown[]): void {
		this.#checkPaid(name, intent, "I7");
		if (kept.length > 0) this.#found ??= new Violation("I7", `${name} keeps what it has paid with ${intent}`);
	}

	/** Checks the basket of a document that follows another one in its tab. */
	opensWith(name: string, basket: readonly unknown[], expected: readonly unknown[]): void {
		if (canonical(basket) === canonical(expected)) return;
		this.#found ??= new Violation("I7", `${name} opens with ${canonical(basket)}, not ${canonical(expected)}`);
	}

	/** Checks I1 when the shop has handled Stripe's report of a success: the payment's order is paid or refunded, or the
	 *  payment is named in the log. */
	reports(intent: string): void {
		this.#read();
		if (this.#snapshot.intents.get(intent)?.shop !== shopId || isVisible(this.#statusOf(intent))) return;
		const isNamed = this.#world.logs.some(
			({ event, payment_intent }) => event === "paid_without_order" && payment_intent === intent,
		);
		if (!isNamed) this.#found ??= new Violation("I1", `${intent} has no paid order, and is not named in the log`);
	}

	/** Checks the invariants that must hold after every step. */
	check(): void {
		if (this.#found) throw this.#found;
		this.#read();
		if (this.#isChecked) return;
		this.#isChecked = true;
		const { orders, intents } = this.#snapshot;
		for (const order of orders) {
			checkOrder(order, intents.get(order.id));
			this.#history.ordered.add(order.id);
		}
		for (const [name, tab] of this.#history.tabs) {
			checkOneChargeable(
				name,
				[...tab.intents].map((id) => intents.get(id)),
			);
		}
		this.#checkNotCharged();
		this.#noteVisible();
	}

	/** Records the customers whose visible orders have changed. */
	#noteVisible(): void {
		const visible = this.#visibleOrders();
		for (const user of new Set([...visible.keys(), ...this.#visible.keys()])) {
			if (visible.get(user) !== this.#visible.get(user)) this.#history.unnotified.add(user);
		}
		this.#visible = visible;
	}

	/** Checks the invariants that must hold ten minutes after the last fault. */
	checkEnd(): void {
		for (const intent of this.#snapshot.intents.values()) {
			if (intent.shop !== shopId || this.#world.stripe.broken.has(intent.id)) continue;
			const order = this.#snapshot.orders.find(({ id }) => id === intent.id);
			if (this.#history.ordered.has(intent.id)) checkPayment(intent, order, this.#refundsOf(intent.id));
			if (order?.status === "paid" && !this.owners.mayOwn(order)) {
				const owner = order.user ?? order.guest;
				throw new Violation("I4", `${order.id} belongs to ${owner}, ${this.owners.describe(order)}`);
			}
		}
		for (const { promised, cookies } of this.#world.browsers) {
			const claimable = guestHashes(cookies);
			const lost = this.#snapshot.orders.find(
				({ id, status, user, guest }) =>
					promised.has(id) && status === "paid" && user === null && !claimable.includes(guest ?? ""),
			);
			if (lost) throw new Violation("I4", `${lost.id} was shown as paid in a browser that cannot claim it`);
		}
		this.#checkRecordedRefunds();
		const unnotified = [...this.#history.unnotified].filter((user) => !this.#history.interrupted.has(user));
		if (unnotified.length > 0) {
			throw new Violation("I8", `${unnotified} was not notified of the last change of an order`);
		}
		for (const [name, tab] of this.#history.tabs) this.#checkSentence(name, tab);
	}

	/** Checks that the shop has recorded the newest state and the amount of each refund. */
	#checkRecordedRefunds(): void {
		const recorded = this.#world.shop.all("select id, amount, status from refunds");
		for (const { id, amount, status } of recorded) {
			const refund = this.#snapshot.refunds.find((refund) => refund.id === id);
			if (!refund || this.#world.stripe.broken.has(refund.intent)) continue;
			if (refund.status !== status || refund.amount !== amount) {
				throw new Violation("I1", `${id} is ${refund.amount} ${refund.status}, recorded as ${amount} ${status}`);
			}
		}
	}

	/** Checks that no order is still open. Call it a day later. */
	checkNothingOpen(): void {
		if (this.open.length > 0) throw new Violation("I10", `still open after a day: ${this.open}`);
	}

	/** The orders that are still open, except those whose payment fails every time. */
	get open(): unknown[] {
		const open = this.#snapshot.orders.filter(({ status }) => status === "placed").map(({ id }) => id);
		return open.filter((id) => !this.#world.stripe.broken.has(id));
	}

	/** A digest of the emulator's database. */
	get stripeState(): string {
		this.#read();
		this.#snapshot.stripeDigest ??= digestStripe(this.#world.stripe.database);
		return this.#snapshot.stripeDigest;
	}

	/** A digest of both databases and of everything else that later checks depend on. */
	get state(): string {
		// reads the databases
		const { stripeState } = this;
		const tables = Object.values(this.#snapshot.tables);
		return [tables, stripeState, canonical(this.#history), this.owners.state].join("\n");
	}

	#read(): void {
		const { shop, stripe } = this.#world;
		const snapshot = readChanges(this.#snapshot, shop, stripe.database);
		if (snapshot === this.#snapshot) return;
		this.#snapshot = snapshot;
		this.owners.observe(snapshot.orders);
		this.#isChecked = false;
	}

	#visibleOrders(): Map<string, string> {
		const visible = new Map<string, string>();
		for (const { id, user, status } of this.#snapshot.orders) {
			if (user && isVisible(status)) visible.set(user, `${visible.get(user) ?? ""} ${id} ${status}`);
		}
		return visible;
	}

	#refundsOf(id: string): Refund[] {
		return this.#snapshot.refunds.filter(({ intent, status }) => intent === id && status !== "failed");
	}

	#checkNotCharged(): void {
		for (const id of this.#history.notCharged) {
			const status = this.#snapshot.intents.get(id)?.status;
			if (status === "succeeded" || status === "processing") {
				throw new Violation("I9", `the shopper reads "not charged" about ${id}, which is ${status}`);
			}
		}
	}

	#checkShown(name: string, id: string): void {
		this.#read();
		const { shown } = this.tab(name);
		const charged = this.#snapshot.intents.get(id);
		if (!shown || !charged || (shown.amount === charged.amount && shown.currency === charged.currency)) return;
		const facts = `${name} shows ${canonical(shown)}, and ${id} charges ${charged.amount} ${charged.currency}`;
		this.#found ??= new Violation("I11", facts);
	}

	#checkPaid(name: string, id: string, invariant: "I7" | "I9"): void {
		this.#read();
		const status = this.#statusOf(id);
		if (isVisible(status)) return;
		// the next check throws it: if it were thrown here, the tab's own code would catch it
		this.#found ??= new Violation(invariant, `${name} took ${id} for paid, and its order is ${status}`);
	}

	#checkSentence(name: string, { intents, reads, open, isPaying }: TabView): void {
		if (open && isPaying && [...intents].every((id) => this.#isOver(id))) {
			throw new Violation("I9", `${name} still shows "Processing", and every payment of its own is over`);
		}
		if (!reads || !open || reads.sentence !== "checking") return;
		if (this.#isOver(reads.intent)) {
			throw new Violation("I9", `${name} still reads "checking", and ${reads.intent} is paid, refunded or canceled`);
		}
	}

	/** Returns whether a payment has been paid, refunded or canceled. */
	#isOver(id: string): boolean {
		return isVisible(this.#statusOf(id)) || this.#snapshot.intents.get(id)?.status === "canceled";
	}

	#statusOf(id: string): string | undefined {
		return this.#snapshot.orders.find((order) => order.id === id)?.status;
	}
}

/** Whether an order of this status is shown to its owner. */
const isVisible = (status: string | undefined) => status === "paid" || status === "refunded";
