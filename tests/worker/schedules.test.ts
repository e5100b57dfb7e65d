import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { some, weighted } from "../support/arbitraries.ts";
import { book } from "../support/catalogue.ts";
import { Customer, idOf, statusOf } from "../support/customer.ts";
import { checkChargeable, checkNothingOpen, checkPayments, checkRows, newestIntent } from "../support/invariants.ts";
import { openShop, type Shop } from "../support/shop.ts";

/** A fault in one external call of the next step. */
const fault = fc.record({
	service: fc.constantFrom("d1", "stripe", "any"),
	call: fc.integer({ min: 1, max: 8 }),
	fault: fc.constantFrom("before", "after", "never", "crash"),
});
const actions = [
	...(["create", "place", "confirm", "webhook", "return", "wait", "wait", "add to basket", "read orders"] as const),
	...(["create account", "change prices", "reconcile", "everything at once"] as const),
];
type Action = (typeof actions)[number];
const aWhile = fc.integer({ min: 1, max: 400 });
const step = (...names: Action[]) =>
	fc.record({
		action: fc.constantFrom(...names),
		card: fc.constantFrom("pm_card_visa", "pm_card_visa", "pm_card_visa", "pm_card_visa_chargeDeclined"),
		copies: fc.integer({ min: 1, max: 3 }),
		seconds: fc.oneof(aWhile, aWhile, fc.constant(90_000)),
		// a step makes about three external calls, so about one call in twenty fails
		fault: weighted([6, fc.constant(null)], [1, fault]),
	});
type Step = ReturnType<typeof step> extends fc.Arbitrary<infer Generated> ? Generated : never;

const anything = step(...actions);
const usually = (action: Action) => weighted([9, step(action).map((one) => [one])], [1, fc.constant<Step[]>([])]);
/** A purchase with other actions in between. */
const purchase = fc
	.tuple(
		...[usually("create"), some(anything, 2), usually("place"), some(anything, 1), usually("confirm")],
		...[some(anything, 2), some(step("webhook"), 3), some(step("return"), 2), some(anything, 2)],
	)
	.map((parts) => parts.flat());
const schedules = fc.array(purchase, { minLength: 1, maxLength: 3, size: "max" }).map((parts) => parts.flat());

const fiveMinutes = 300;
/** Actions that cannot mark an order as paid. */
const unrelated: Action[] = ["add to basket", "place", "change prices", "create account"];
/** Timeouts in milliseconds. They are short, so that calls without a response do not slow down the test. */
const timeouts = { request: 150, response: 250, cron: 250, stripeCall: 50, feed: 50, rateLimit: 50 };

/** None in `npm test`, where tests/simulation explores the interleavings of a purchase. */
const total = Number(process.env["SCHEDULES"] ?? (process.env["LONG"] ? 10_000 : 0));
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** Number of schedules per shop. Shops run in parallel, because a schedule spends much of its time on timeouts. */
const numRuns = Math.min(total, 100);
const seeds = Array.from({ length: Math.ceil(total / 100) || 1 }, (_, shop) => seed + shop);
const delays: number[] = [];

test.skipIf(total === 0).concurrent.for(seeds)(
	`no paid order is lost, duplicated or mispriced in ${numRuns} random schedules (SEED=%i SCHEDULES=${numRuns})`,
	{ timeout: 30 * 60 * 1000 },
	async (seed) => {
		const shop = await openShop();
		try {
			await fc.assert(
				fc.asyncProperty(schedules, async (steps) => {
					delays.push(...(await runSchedule(shop, steps)));
				}),
				{ numRuns, seed, endOnFailure: true },
			);
		} finally {
			await shop.close();
		}
	},
);

afterAll(() => {
	const sorted = delays.toSorted((a, b) => a - b);
	const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
	const distribution = [0.5, 0.9, 0.99, 1].map((part) => `${part * 100} % within ${at(part)} s`).join(", ");
	console.info(`From succeeded to paid, ${delays.length} payments: ${distribution}`);
	// fewer payments would not test the invariants enough
	expect(delays.length).toBeGreaterThan(total / 5);
});

/** Runs a schedule in one tab, with the cron every five minutes, and checks the invariants. Returns the delay of each
 *  payment, from its success until its order is paid, in seconds. A shop runs one schedule at a time. */
async function runSchedule(shop: Shop, steps: Step[]): Promise<number[]> {
	const { d1, stripe } = shop;
	const customer = new Customer(shop);
	const before = await newestIntent(shop);
	/** Every client secret that this tab has received. */
	const secrets: string[] = [];
	/** The client secret of the current payment; undefined once that payment is finished. */
	let secret: string | undefined;
	let items = 1;
	let now = 0;
	let untilCron = fiveMinutes;
	/** Success times of the payments whose orders are not paid yet, by client secret. */
	const succeeded = new Map<string, number>();
	const delays: number[] = [];

	const run: Record<Action, (step: Step) => unknown> = {
		create,
		place: async () => {
			if (!secret) return;
			const { status } = await customer.place(
				secret,
				Array.from({ length: items }, () => book.id),
			);
			expect(status, "place").toBeOneOf([200, 409, 500, 503]);
		},
		// runs even if the order was not placed
		confirm: async ({ card }) => {
			if (!secret) return;
			const confirmed = await customer.confirm(secret, card).catch(() => null);
			if (confirmed?.status === "succeeded") succeeded.set(secret, now);
		},
		webhook: ({ copies }) => deliver(copies),
		return: fulfill,
		wait: ({ seconds }) => wait(seconds),
		"add to basket": () => void items++,
		"read orders": async () => expect((await customer.fetch("/orders")).status).toBeOneOf([200, 500, 503]),
		"create account": () => customer.createAccount(),
		"change prices": () =>
			d1.prepare("update products set price_cents = 2400 - price_cents where id = ?").bind(book.id).run(),
		reconcile,
		"everything at once": () => Promise.all([deliver(3), fulfill(), fulfill(), reconcile(), reconcile()]),
	};

	await shop.control({ control: "webhooks", mode: "hold" });
	await shop.control({ control: "timeouts", timeouts });
	for (const step of steps) {
		if (step.fault) await shop.control({ control: "shop_fault", ...step.fault });
		await run[step.action](step);
		if (!unrelated.includes(step.action)) await noteDelays();
	}
	await shop.control({ control: "calm" });
	await wait(2 * fiveMinutes);
	await checkPayments(shop, before);
	await checkRows(shop);
	await shop.advance(90_000);
	// the first run abandons orders, the second completes refunds
	for (let runs = 0; runs < 2; runs++) await shop.reconcile();
	await checkPayments(shop, before);
	await checkRows(shop);
	await checkNothingOpen(shop);
	return delays;

	/** Requests a payment as the payment page does when it opens or its total changes. Fulfills the previous payment
	 *  instead if that one is in progress. */
	async function create(): Promise<void> {
		const price = await d1.prepare("select price_cents from products where id = ?").bind(book.id).first("price_cents");
		const response = await customer.requestIntent(Number(price) * items, secret);
		expect(response.status, "create").toBeOneOf([200, 409, 500, 503]);
		if (response.status === 409) return fulfill();
		if (response.status !== 200) return;
		({ clientSecret: secret } = z.object({ clientSecret: z.string() }).parse(await response.json()));
		secrets.push(secret);
		await checkChargeable(shop, secrets);
	}

	async function deliver(copies: number): Promise<void> {
		const { data } = await stripe.events.list({ limit: 30 });
		const own = data.filter((event) => secrets.some((secret) => JSON.stringify(event).includes(idOf(secret))));
		const event = own.find(({ type }) => type === "payment_intent.succeeded") ?? own[0];
		if (event) await shop.control({ control: "send", event: event.id, copies });
	}

	async function fulfill(): Promise<void> {
		if (!secret) return;
		const clientSecret = secret;
		const intent = await stripe.paymentIntents.retrieve(idOf(clientSecret));
		const response = await customer.fulfill(clientSecret);
		expect(response.status, "fulfill").toBeOneOf([200, 202, 409, 500, 503]);
		if (response.status >= 500) return;
		const body = z.object({ status: z.string() }).safeParse(await response.json()).data;
		const outcome = response.status === 409 ? "not_paid" : body?.status;
		if (outcome === "paid") expect(await statusOf(shop, clientSecret)).toBe("paid");
		if (outcome === "paid" || outcome === "refunded") secret = undefined;
		if (outcome === "not_paid") expect(intent.status).not.toBe("succeeded");
	}

	/** Runs the cron. Ignores a failure, because the next run completes the work. */
	async function reconcile(): Promise<void> {
		await shop.reconcile().catch(() => undefined);
	}

	/** Advances the clock and runs the cron every five minutes, at most three times: later runs have nothing left to do. */
	async function wait(seconds: number): Promise<void> {
		let left = seconds;
		for (let runs = 0; runs < 3 && left >= untilCron; runs++) {
			left -= untilCron;
			await advance(untilCron);
			untilCron = fiveMinutes;
			await reconcile();
			await noteDelays();
		}
		untilCron = Math.max(untilCron - left, 0);
		await advance(left);
	}

	async function advance(seconds: number): Promise<void> {
		if (seconds > 0) await shop.advance(seconds);
		now += seconds;
	}

	/** Records the delays of the payments whose orders are now paid. */
	async function noteDelays(): Promise<void> {
		for (const [clientSecret, since] of succeeded) {
			if ((await statusOf(shop, clientSecret)) !== "paid") continue;
			succeeded.delete(clientSecret);
			delays.push(now - since);
		}
	}
}
