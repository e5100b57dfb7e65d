import * as catalogue from "../support/catalogue.ts";
import { Browser } from "./browser.ts";
import type { Tasks } from "./schedule.ts";
import { idOf } from "./stripe-js.ts";
import { Tab, type TabState } from "./tab.ts";
import { World } from "./world.ts";

export const book = catalogue.book.id;
export const speaker = catalogue.speaker.id;
export const minute = 60_000;
export const day = 24 * 60 * minute;
export const succeeded = "payment_intent.succeeded";
export const threeDSecure = "pm_card_threeDSecure2Required";

/** Runs `work` in a new world, without faults and without interleaving. */
export async function inWorld(work: (world: World) => Promise<void>): Promise<void> {
	const world = new World();
	try {
		await world.prepare(async () => {
			await work(world);
			return world;
		});
	} finally {
		world.close();
	}
}

let earlierTabs = 0;

/** The state of a tab and its browser at the start of a schedule. */
interface Saved {
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
): Promise<Saved> {
	const browser = new Browser(world, user ? [["__Host-session", `session-of-${user}`]] : []);
	const state = { basket: world.products(product), created: null, user: browser.customer };
	const tab = new Tab(world, `earlier tab ${++earlierTabs}`, browser, state);
	if (progress !== "opens") await tab.prepare();
	if (progress === "places" || progress === "pays") await tab.tryToPlace();
	if (progress === "pays" || progress === "pays without an order") await tab.confirm({ card });
	return { state: tab.state, cookies: [...browser.cookies] };
}

export function reopen(world: World, { state, cookies }: Saved, name = "tab", browser = new Browser(world, cookies)) {
	return { tab: new Tab(world, name, browser, state), browser };
}

interface Start {
	world: World;
	saved: Saved;
	/** The id of the saved tab's PaymentIntent. */
	id: string;
	/** Opens the saved tab in this schedule. */
	open(name?: string): ReturnType<typeof reopen>;
}

/** Starts every schedule with one tab. `after` changes the state before the schedules start. */
export const startWith =
	(
		progress: Progress,
		{ after, ...options }: TabOptions & { after?: (world: World, id: string) => void | Promise<void> },
		tasks: (start: Start) => Tasks,
	) =>
	async (world: World) => {
		const saved = await createTab(world, progress, options);
		const id = intentOf(saved);
		await after?.(world, id);
		return () => tasks({ world, saved, id, open: (name) => reopen(world, saved, name) });
	};

export const intentOf = ({ state }: Saved) => idOf(state.created?.clientSecret ?? "");
export const loseOrders = (world: World) => world.shop.exec("delete from order_items; delete from orders");
export const wait = (ms: number) => (world: World) => {
	world.clock.ms += ms;
};
/** Advances the clock until new payments are old enough for the cron to poll. */
export const waitForCron = wait(4 * minute);
/** Makes the cron's deletion of abandoned orders fail every time. */
export const failingCleanup = `
	insert into orders (payment_intent_id, amount, status, created, placed_at, due_at) values ('pi_old', 50, 'abandoned', 0, 0, 0);
	create trigger old_order_is_kept before delete on orders when old.payment_intent_id = 'pi_old'
	begin select raise(abort, 'the old order is kept'); end`;
