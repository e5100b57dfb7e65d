import { Browser } from "./browser.ts";
import { Tab, type TabState } from "./shopper.ts";
import { idOf } from "./stripe-js.ts";
import type { World } from "./world.ts";

// How far shoppers have come when a scenario starts.

export const book = "12321341";
export const speaker = "23445930";
export const minute = 60_000;
export const day = 24 * 60 * minute;
export const succeeded = "payment_intent.succeeded";
export const threeDSecure = "pm_card_threeDSecure2Required";

let earlierTabs = 0;

/** A tab and its browser, as they were at the start of the schedule. */
export interface Saved {
	state: TabState;
	cookies: [string, string][];
}

/** How far a tab comes before the schedule starts. */
export async function tabThat(
	world: World,
	did: "opens" | "prepares" | "places" | "pays" | "pays without an order",
	{ user = null, product = book }: { user?: string | null; product?: string } = {},
): Promise<Saved> {
	const browser = new Browser(world, user ? [["__Host-session", `session-of-${user}`]] : []);
	const state = { basket: world.products(product), created: null, user: browser.customer };
	const tab = new Tab(world, `earlier tab ${++earlierTabs}`, browser, state);
	if (did !== "opens") await tab.prepare();
	if (did === "places" || did === "pays") await tab.tryToPlace();
	if (did === "pays" || did === "pays without an order") await tab.confirm();
	return { state: tab.state, cookies: [...browser.cookies] };
}

export function reopen(world: World, { state, cookies }: Saved, name = "tab", browser = new Browser(world, cookies)) {
	return { tab: new Tab(world, name, browser, state), browser, id: intentOf(state) };
}

export const intentOf = ({ created }: TabState) => idOf(created?.clientSecret ?? "");
export const loseOrders = (world: World) => world.shop.exec("delete from order_items; delete from orders");
