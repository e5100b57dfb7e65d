import * as catalogue from "../support/catalogue.ts";
import { Browser } from "./browser.ts";
import { changeSettings, deliverEvent, runCron } from "./events.ts";
import { type Settings, sessionCookieName } from "./shop.ts";
import { idOf } from "./stripe-js.ts";
import { Tab, type TabState } from "./tab.ts";
import { World } from "./world.ts";

export const book = catalogue.book.id;
export const speaker = catalogue.speaker.id;
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Concurrent tasks by name. */
type Tasks = Record<string, () => Promise<unknown>>;

export interface Scenario {
	title: string;
	/** Creates the state in which every schedule starts. Returns a function that creates the tasks of one schedule. */
	begin(world: World): Promise<() => Tasks>;
	/** Period in which the tasks are interleaved, in virtual seconds. 20 by default. */
	lasts?: number;
	/** Whether all tasks are identical. If so, only schedules that start with the first task are explored. */
	alike?: boolean;
	/** Whether `npm test` explores a fault together with a preemption. */
	combinesFaults?: boolean;
	/** Initial period in which every step is the default one, in virtual seconds. */
	calm?: number;
}

/** A scenario with a world in the state in which every schedule starts. Close the world after the last schedule. */
export interface Prepared {
	scenario: Scenario;
	world: World;
	start: () => Tasks;
}

export async function prepare(scenario: Scenario): Promise<Prepared> {
	const world = new World();
	return { scenario, world, start: await world.prepare(() => scenario.begin(world)) };
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

/** The state of a tab and its browser at the start of a schedule. */
interface SavedTab {
	state: TabState;
	cookies: [string, string][];
}

/** The last action of a tab before the schedule starts. */
type Progress = "opens" | "prepares" | "places" | "pays" | "pays without an order";

interface TabOptions {
	user?: string | null;
	product?: string;
	card?: string;
}

export async function createTab(
	world: World,
	progress: Progress,
	{ user = null, product = book, card = "pm_card_visa" }: TabOptions = {},
): Promise<SavedTab> {
	const browser = new Browser(world, user ? [[sessionCookieName, `session-of-${user}`]] : []);
	const state = { basket: world.products(product), created: null, user: browser.customer };
	const tab = new Tab(world, `earlier tab ${world.browsers.length}`, browser, state);
	if (progress !== "opens") await tab.prepare();
	if (progress === "places" || progress === "pays") await tab.tryToPlace();
	if (progress === "pays" || progress === "pays without an order") await tab.confirm({ card });
	return { state: tab.state, cookies: [...browser.cookies] };
}

export function reopen(
	world: World,
	{ state, cookies }: SavedTab,
	name = "tab",
	browser = new Browser(world, cookies),
) {
	return { tab: new Tab(world, name, browser, state), browser };
}

export const intentOf = ({ state }: SavedTab) => idOf(state.created?.clientSecret ?? "");

/** The saved tab as one schedule reopens it, and what happens at the same time. */
function startOf(world: World, saved: SavedTab) {
	const id = intentOf(saved);
	return {
		...reopen(world, saved),
		...{ world, saved },
		/** The id of the tab's PaymentIntent. */
		id,
		cron: () => runCron(world),
		/** Stripe reports that a payment has succeeded. */
		webhook: () => deliverEvent(world, "payment_intent.succeeded"),
		/** An operator refunds the tab's payment. */
		refund: () => world.stripe.refundByHand(id),
		/** An operator changes the Worker's settings. */
		set: (settings: Partial<Settings>) => changeSettings(world, settings),
	};
}

/** Changes the state before the schedules start. `id` is the tab's PaymentIntent. */
type Change = (world: World, id: string) => void | Promise<void>;

/** Starts every schedule with one tab. */
export const startWith =
	(
		progress: Progress,
		{ after = [], ...options }: TabOptions & { after?: Change[] },
		tasks: (start: ReturnType<typeof startOf>) => Tasks,
	) =>
	async (world: World) => {
		const saved = await createTab(world, progress, options);
		for (const change of after) await change(world, intentOf(saved));
		return () => tasks(startOf(world, saved));
	};

export const addTab =
	(progress: Progress, options: TabOptions = {}): Change =>
	async (world) => {
		await createTab(world, progress, options);
	};
export const sql =
	(statements: string): Change =>
	({ shop }) =>
		shop.exec(statements);
export const settings =
	(changed: Partial<Settings>): Change =>
	(world) =>
		changeSettings(world, changed);
/** Runs the cron every five minutes for an hour and ten minutes, in which an unpaid order would be canceled. */
export const cronsOfAnHour: Change = async (world) => {
	for (let minutes = 0; minutes < 70; minutes += 5) {
		world.clock.ms += 5 * minute;
		await runCron(world);
	}
};
export const loseOrders = sql("delete from order_items; delete from orders");
export const wait =
	(ms: number): Change =>
	({ clock }) => {
		clock.ms += ms;
	};
/** Advances the clock until new payments are old enough for the cron to poll. */
export const waitForCron = wait(4 * minute);
/** Makes the cron's deletion of abandoned orders fail every time. */
export const failingCleanup = `
	insert into orders (payment_intent_id, amount, status, created, placed_at, due_at) values ('pi_old', 50, 'abandoned', 0, 0, 0);
	create trigger old_order_is_kept before delete on orders when old.payment_intent_id = 'pi_old'
	begin select raise(abort, 'the old order is kept'); end`;
