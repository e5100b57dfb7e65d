import type { BasketItem } from "#app/tab/basket.ts";
import * as catalogue from "../support/catalogue.ts";
import { Browser } from "./browser.ts";
import { deliverEvent, runCron } from "./events.ts";
import { sessionCookieName } from "./shop.ts";
import { Tab } from "./tab.ts";
import { World } from "./world.ts";

export const book = { ...catalogue.book, image: "" };
export const speaker = { ...catalogue.speaker, image: "" };
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** A state, and the tasks that run concurrently from that state. */
export interface Scenario extends ScenarioOptions {
	title: string;
	start: Progress;
	/** Returns the tasks of one schedule, by name. */
	tasks(start: ReturnType<typeof startOf>): Tasks;
}

export interface ScenarioOptions extends TabOptions {
	/** The progress of the tab of another guest, which is opened first. */
	other?: Progress;
	/** Changes to the state, one after the other. */
	after?: Change[];
	/** Period in which the tasks are interleaved, in virtual seconds. 20 by default. */
	lasts?: number;
	/** Whether all tasks are identical. If so, only schedules that start with the first task are explored. */
	alike?: boolean;
	/** Whether `npm test` explores a fault together with a preemption. */
	combinesFaults?: boolean;
	/** Initial period in which every step is the default one, in virtual seconds. */
	calm?: number;
}

/** The last action of a tab before the schedule starts. */
type Progress = "opens" | "prepares" | "places" | "pays" | "pays without an order";

export interface TabOptions {
	/** A customer, or null for a guest, as by default. */
	user?: string | null;
	/** A book by default. */
	basket?: BasketItem[];
	card?: string;
}

/** Changes the state before the schedules start. `id` is the tab's PaymentIntent. */
type Change = (world: World, id: string) => unknown;

type Tasks = Record<string, () => Promise<unknown>>;

/** A scenario with a world in the state in which every schedule starts. Close the world after the last schedule. */
export interface Prepared {
	scenario: Scenario;
	world: World;
	start: () => Tasks;
}

export async function prepare(scenario: Scenario): Promise<Prepared> {
	const world = new World();
	const start = await world.prepare(async () => {
		const other = scenario.other && (await openTab(world, scenario.other));
		const earlier = await openTab(world, scenario.start, scenario);
		for (const change of scenario.after ?? []) await change(world, earlier.id);
		return () => scenario.tasks(startOf(world, earlier, other ?? earlier));
	});
	return { scenario, world, start };
}

/** Runs `work` in a new world, without faults and without interleaving. */
export async function inWorld(work: (world: World) => Promise<void>): Promise<void> {
	const world = new World();
	try {
		await world.prepare(() => work(world));
	} finally {
		world.close();
	}
}

/** Opens a tab in a new browser. */
export async function openTab(
	world: World,
	progress: Progress,
	{ user = null, basket = [book], card = "pm_card_visa" }: TabOptions = {},
): Promise<Tab> {
	const browser = browserOf(world, user);
	const state = { basket, created: null, user: browser.customer };
	const tab = new Tab(world, `earlier tab ${world.browsers.length}`, browser, state);
	if (progress !== "opens") await tab.prepare();
	if (progress === "places" || progress === "pays") await tab.tryToPlace();
	if (progress === "pays" || progress === "pays without an order") await tab.confirm({ card });
	return tab;
}

function browserOf(world: World, user: string | null): Browser {
	return new Browser(world, user ? [[sessionCookieName, `session-of-${user}`]] : []);
}

/** Opens a tab in another browser with the payment of `tab`. */
export function openStranger(world: World, { state }: Tab, user: string | null): Tab {
	const browser = browserOf(world, user);
	return new Tab(world, "stranger", browser, { ...state, user: browser.customer });
}

/** The tab at the start of a schedule, and what can happen at the same time. */
function startOf(world: World, earlier: Tab, other: Tab) {
	const browser = new Browser(world, earlier.browser.cookies);
	const tab = new Tab(world, "tab", browser, earlier.state);
	return {
		...{ world, browser, tab },
		/** The other tab, if the scenario has one, or a second one with the same payment, in the same browser. */
		get other() {
			return new Tab(world, "other tab", browser, other.state);
		},
		cron: () => runCron(world),
		/** Stripe reports that the payment has succeeded. */
		webhook: () => deliverEvent(world, "payment_intent.succeeded"),
		/** An operator cancels the tab's payment. */
		cancel: () => world.stripe.cancelByHand(tab.id),
		/** An operator refunds the tab's payment, in full or `amount` cents, which Stripe reports. */
		async refund(amount?: number) {
			await refundByHand(world, tab.id, amount);
		},
	};
}

/** Resolves after a time in virtual milliseconds, in which Stripe's own timers fire. */
export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
/** Runs the cron every five minutes for an hour and ten minutes, in which an unpaid order would be canceled. */
export async function cronsOfAnHour(world: World): Promise<void> {
	for (let minutes = 0; minutes < 70; minutes += 5) {
		await wait(5 * minute);
		await runCron(world);
	}
}
export async function refundByHand(world: World, id: string, amount?: number): Promise<void> {
	await world.stripe.refundByHand(id, amount);
	await deliverEvent(world, "charge.refunded");
}
/** Makes the cron's deletion of abandoned orders fail every time. */
export const failCleanup = ({ shop }: World) =>
	shop.exec(`
		insert into orders (payment_intent_id, amount, currency, status, created, placed_at, due_at)
			values ('pi_old', 50, 'usd', 'abandoned', 0, 0, 0);
		create trigger old_order_is_kept before delete on orders when old.payment_intent_id = 'pi_old'
		begin select raise(abort, 'the old order is kept'); end`);
