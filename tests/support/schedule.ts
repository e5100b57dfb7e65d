import fc from "fast-check";
import { expect } from "vitest";
import { z } from "zod";
import { holdMoney, holdNothingOpen, holdOneChargeable, holdRows, newestIntent } from "./invariants.ts";
import type { Shop } from "./shop.ts";
import { idOf, Shopper } from "./shopper.ts";

/** What goes wrong with the outside calls of one step. */
const fault = fc.record({
	service: fc.constantFrom("d1", "stripe", "any"),
	call: fc.integer({ min: 1, max: 8 }),
	fault: fc.constantFrom("before", "after", "never", "crash"),
});

/** One step in seven has a fault: with about three outside calls to a step that is one call in twenty. */
const step = <Action>(action: fc.Arbitrary<Action>) =>
	fc.record({ action, fault: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fault }) });
const does = <const Does extends string>(name: Does) => step(fc.constant({ does: name }));
const many = <Step>(what: fc.Arbitrary<Step>, maxLength: number) => fc.array(what, { maxLength, size: "max" });
/** What nearly always happens. */
const usually = <Step>(what: fc.Arbitrary<Step>) =>
	fc.oneof({ weight: 9, arbitrary: what.map((one) => [one]) }, { weight: 1, arbitrary: fc.constant([]) });

const create = does("create");
const place = does("place");
const card = fc.constantFrom("pm_card_visa", "pm_card_visa", "pm_card_visa", "pm_card_visa_chargeDeclined");
const confirm = step(fc.record({ does: fc.constant("confirm" as const), card }));
const webhook = step(fc.record({ does: fc.constant("webhook" as const), copies: fc.integer({ min: 1, max: 3 }) }));
const comeBack = does("return");
const aWhile = fc.integer({ min: 1, max: 400 });
const wait = step(
	fc.record({ does: fc.constant("wait" as const), seconds: fc.oneof(aWhile, aWhile, fc.constant(90_000)) }),
);
const anything = fc.oneof(
	...[create, place, confirm, webhook, comeBack, wait, wait],
	...[does("put in another"), does("look at orders"), does("create account"), does("change prices")],
	...[does("reconcile"), does("everything at once")],
);

/** A purchase as it should go, more or less, and whatever comes between: up to three of them in one tab. */
const purchase = fc
	.tuple(
		...[usually(create), many(anything, 2), usually(place), many(anything, 1), usually(confirm), many(anything, 2)],
		...[many(webhook, 3), many(comeBack, 2), many(anything, 2)],
	)
	.map((parts) => parts.flat());
export const schedules = fc.array(purchase, { minLength: 1, maxLength: 3, size: "max" }).map((parts) => parts.flat());
export type Step = typeof schedules extends fc.Arbitrary<(infer Each)[]> ? Each : never;

const book = "12321341";
const FIVE_MINUTES = 300;
/** Steps after which no order can have become paid. */
const unrelated = new Set<Step["action"]["does"]>(["put in another", "place", "change prices", "create account"]);
/** Milliseconds, so that what never answers costs little. */
const timeouts = { request: 150, response: 250, cron: 250, stripeCall: 50, feed: 50, rateLimit: 50 };

/** Plays a schedule with one shopper, lets the cron run as it does every five minutes, and holds the invariants of a
 *  purchase. Answers how many seconds each payment took from succeeded to paid. Run one at a time on a shop. */
export async function play(shop: Shop, steps: Step[]): Promise<number[]> {
	const run = new Run(shop);
	await shop.control({ control: "webhooks", mode: "hold" });
	await shop.control({ control: "timeouts", timeouts });
	await run.begin();
	for (const { action, fault } of steps) {
		if (fault) await shop.control({ control: "shop_fault", ...fault });
		await run.take(action);
		if (!unrelated.has(action.does)) await run.look();
	}
	await shop.control({ control: "calm" });
	await run.wait(2 * FIVE_MINUTES);
	await run.hold();
	await shop.advance(90_000);
	for (const _ of ["abandons", "sees refunds through"]) await shop.reconcile();
	await run.hold();
	await holdNothingOpen(shop);
	return run.delays;
}

class Run {
	readonly #shop: Shop;
	readonly #shopper: Shopper;
	/** Seconds since it began. */
	#now = 0;
	#untilCron = FIVE_MINUTES;
	#newestBefore: string | undefined;
	/** Every client secret that this tab was ever given. */
	readonly #secrets: string[] = [];
	/** The one it uses; none once it has heard that its payment is over. */
	#secret: string | undefined;
	#basket = [book];
	/** When each payment succeeded that is not a paid order yet, by its id. */
	readonly #succeeded = new Map<string, number>();
	readonly delays: number[] = [];

	constructor(shop: Shop) {
		this.#shop = shop;
		this.#shopper = new Shopper(shop);
	}

	async begin(): Promise<void> {
		this.#newestBefore = await newestIntent(this.#shop);
	}

	async hold(): Promise<void> {
		await holdMoney(this.#shop, this.#newestBefore);
		await holdRows(this.#shop);
	}

	/** Time passes, and the cron runs every five minutes of it, three times at most: after that nothing is left to do. */
	async wait(seconds: number): Promise<void> {
		let left = seconds;
		for (let runs = 0; runs < 3 && left >= this.#untilCron; runs++) {
			left -= this.#untilCron;
			await this.#pass(this.#untilCron);
			this.#untilCron = FIVE_MINUTES;
			await this.#reconcile();
			await this.look();
		}
		this.#untilCron = Math.max(this.#untilCron - left, 0);
		await this.#pass(left);
	}

	async #pass(seconds: number): Promise<void> {
		if (seconds > 0) await this.#shop.advance(seconds);
		this.#now += seconds;
	}

	async take(action: Step["action"]): Promise<void> {
		switch (action.does) {
			case "create":
				return this.#create();
			case "put in another":
				this.#basket.push(book);
				return;
			case "place":
				return this.#place();
			case "confirm":
				return this.#confirm(action.card);
			case "webhook":
				return this.#webhook(action.copies);
			case "return":
				return this.#return();
			case "look at orders":
				expect((await this.#shopper.fetch("/orders")).status).toBeOneOf([200, 500, 503]);
				return;
			case "create account":
				await this.#shopper.createAccount();
				return;
			case "change prices":
				await this.#shop.d1
					.prepare("update products set price_cents = 2400 - price_cents where id = ?")
					.bind(book)
					.run();
				return;
			case "reconcile":
				await this.#reconcile();
				return;
			case "everything at once":
				await Promise.all([this.#webhook(3), this.#return(), this.#return(), this.#reconcile(), this.#reconcile()]);
				return;
			case "wait":
				return this.wait(action.seconds);
		}
	}

	/** As the payment page does when it opens or its total changes: an earlier payment that is under way is asked about
	 *  first. */
	async #create(): Promise<void> {
		const response = await this.#shopper.askForIntent((await this.#price()) * this.#basket.length, this.#secret);
		expect(response.status, "create").toBeOneOf([200, 409, 500, 503]);
		if (response.status === 409) return this.#return();
		if (response.status !== 200) return;
		const { clientSecret } = z.object({ clientSecret: z.string() }).parse(await response.json());
		if (!this.#secrets.includes(clientSecret)) this.#secrets.push(clientSecret);
		this.#secret = clientSecret;
		await holdOneChargeable(this.#shop, this.#secrets);
	}

	async #place(): Promise<void> {
		if (!this.#secret) return;
		const response = await this.#shopper.place(this.#secret, this.#basket);
		expect(response.status, "place").toBeOneOf([200, 409, 500, 503]);
	}

	/** The card's bank does not ask whether the order was placed, and neither does an attacker. */
	async #confirm(card: string): Promise<void> {
		if (!this.#secret) return;
		const confirmed = await this.#shopper.confirm(this.#secret, card).catch(() => null);
		if (confirmed?.status === "succeeded") this.#succeeded.set(confirmed.id, this.#now);
	}

	async #webhook(copies: number): Promise<void> {
		const { data } = await this.#shop.stripe.events.list({ limit: 30 });
		const ours = data.filter((event) => this.#secrets.some((secret) => JSON.stringify(event).includes(idOf(secret))));
		const event = ours.find(({ type }) => type === "payment_intent.succeeded") ?? ours[0];
		if (event) await this.#shop.control({ control: "send", event: event.id, copies });
	}

	async #return(): Promise<void> {
		if (!this.#secret) return;
		const secret = this.#secret;
		const before = await this.#intent(secret);
		const response = await this.#shopper.fulfill(secret);
		expect(response.status, "settle").toBeOneOf([200, 202, 409, 500, 503]);
		if (response.status >= 500) return;
		// what the shopper reads is true: paid is paid, and "nothing was charged" is said of nothing that was
		const body = z.object({ status: z.string() }).safeParse(await response.json()).data;
		const said = response.status === 409 ? "not_paid" : body?.status;
		if (said === "paid") expect(await this.#status(idOf(secret))).toBe("paid");
		if (said === "paid" || said === "refunded") this.#secret = undefined;
		if (said === "not_paid") expect(before.status).not.toBe("succeeded");
	}

	/** A run that fails is a run that the next one makes good. */
	async #reconcile(): Promise<void> {
		await this.#shop.reconcile().catch(() => undefined);
	}

	async #price(): Promise<number> {
		return Number(
			await this.#shop.d1.prepare("select price_cents from products where id = ?").bind(book).first("price_cents"),
		);
	}

	#intent(secret: string) {
		return this.#shop.stripe.paymentIntents.retrieve(idOf(secret));
	}

	#status(id: string) {
		return this.#shop.d1.prepare("select status from orders where payment_intent_id = ?").bind(id).first("status");
	}

	/** Notes which payments have become paid orders since they succeeded. */
	async look(): Promise<void> {
		for (const [id, succeeded] of this.#succeeded) {
			if ((await this.#status(id)) !== "paid") continue;
			this.#succeeded.delete(id);
			this.delays.push(this.#now - succeeded);
		}
	}
}
