import { Browser } from "./browser.ts";
import type { Scenario } from "./play.ts";
import { Tab } from "./shopper.ts";
import type { World } from "./world.ts";

const minute = 60_000;

/** A guest's payment whose return never came. Returns the tab as it is then. */
async function payAndLeave(world: World, browser = new Browser(world)) {
	const tab = new Tab(world, "before", browser, {
		basket: world.products("12321341"),
		clientSecret: null,
		user: browser.customer,
	});
	await tab.prepare();
	await tab.placeAndConfirm();
	return tab.state;
}

export const scenarios: Scenario[] = [
	{
		title: "lost order | two crons",
		async begin(world) {
			await payAndLeave(world);
			world.shop.exec("delete from order_items; delete from orders");
			world.clock.ms += 4 * minute;
			return () => ({ "cron 1": () => world.cron(), "cron 2": () => world.cron() });
		},
	},
];
