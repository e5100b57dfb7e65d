import { Browser } from "./browser.ts";
import type { Scenario } from "./play.ts";
import { Tab, type TabState } from "./shopper.ts";
import { idOf } from "./stripe-js.ts";
import type { World } from "./world.ts";

const book = "12321341";
const speaker = "23445930";
const minute = 60_000;
const day = 24 * 60 * minute;
const succeeded = "payment_intent.succeeded";
const threeDSecure = "pm_card_threeDSecure2Required";

let earlierTabs = 0;

/** A tab and its browser, as they were at the start of the schedule. */
interface Saved {
	state: TabState;
	cookies: [string, string][];
}

/** How far a tab comes before the schedule starts. */
async function tabThat(
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

function reopen(world: World, { state, cookies }: Saved, name = "tab", browser = new Browser(world, cookies)) {
	return { tab: new Tab(world, name, browser, state), browser, id: intentOf(state) };
}

const intentOf = ({ created }: TabState) => idOf(created?.clientSecret ?? "");
const loseOrders = (world: World) => world.shop.exec("delete from order_items; delete from orders");

export const scenarios: Scenario[] = [
	{
		title: "slow confirmation",
		lasts: 12,
		async begin(world) {
			const saved = await tabThat(world, "prepares");
			return () => {
				const { tab } = reopen(world, saved);
				return { tab: () => tab.buyTwice({ card: "pm_card_visa", slow: "confirm" }) };
			};
		},
	},
	{
		title: "slow confirmation, when it is canceled",
		calm: 110,
		lasts: 140,
		async begin(world) {
			const saved = await tabThat(world, "prepares");
			return () => {
				const { tab } = reopen(world, saved);
				return { tab: () => tab.buy({ card: "pm_card_visa", slow: "confirm" }) };
			};
		},
	},
	{
		title: "slow confirmation of a page that was reloaded",
		async begin(world) {
			const saved = await tabThat(world, "places");
			return () => {
				const { tab } = reopen(world, saved);
				return {
					confirmation: () => tab.confirm({ card: "pm_card_visa", slow: "confirm" }),
					tab: () => tab.comeBack(),
				};
			};
		},
	},
	{
		title: "slow bank dialog",
		lasts: 20,
		async begin(world) {
			const saved = await tabThat(world, "prepares");
			return () => {
				const { tab } = reopen(world, saved);
				return { tab: () => tab.buyTwice({ card: threeDSecure, slow: "dialog" }) };
			};
		},
	},
	{
		title: "purchase | webhook",
		async begin(world) {
			const saved = await tabThat(world, "prepares", { user: "alice" });
			return () => {
				const { tab } = reopen(world, saved);
				return { tab: () => tab.buy(), webhook: () => world.webhook(succeeded) };
			};
		},
	},
	{
		title: "return | webhook",
		async begin(world) {
			const saved = await tabThat(world, "pays", { user: "alice" });
			return () => {
				const { tab } = reopen(world, saved);
				return { tab: () => tab.comeBack(), webhook: () => world.webhook(succeeded) };
			};
		},
	},
	{
		title: "webhook twice",
		alike: true,
		async begin(world) {
			await tabThat(world, "pays", { user: "alice" });
			const webhook = () => world.webhook(succeeded);
			return () => ({ "webhook 1": webhook, "webhook 2": webhook });
		},
	},
	{
		title: "declined card, then another | webhook",
		async begin(world) {
			const saved = await tabThat(world, "prepares");
			return () => {
				const { tab } = reopen(world, saved);
				return {
					tab: async () => {
						await tab.buy({ card: "pm_card_visa_chargeDeclined" });
						if (tab.isNotCharged) await tab.buy();
					},
					webhook: () => world.webhook(succeeded),
				};
			};
		},
	},
	{
		title: "create at another total | confirmation",
		async begin(world) {
			const saved = await tabThat(world, "places");
			return () => {
				const { tab } = reopen(world, saved);
				const earlier = reopen(world, saved, "tab");
				return {
					confirmation: () => earlier.tab.confirmByHand(),
					tab: async () => {
						await tab.prepare();
						tab.state.basket = world.products(book, speaker);
						await tab.buy();
					},
				};
			};
		},
	},
	{
		title: "two places with other owners",
		lasts: 60,
		async begin(world) {
			const saved = await tabThat(world, "prepares");
			return () => {
				const { tab, browser } = reopen(world, saved);
				return {
					tab: async () => {
						await tab.buy();
						if (!tab.isNotCharged) return;
						await browser.signIn("alice");
						tab.state.user = browser.customer;
						await tab.buy();
					},
				};
			};
		},
	},
	{
		title: "two places with other owners, and no return",
		async begin(world) {
			const saved = await tabThat(world, "prepares");
			return () => {
				const { tab, browser } = reopen(world, saved);
				return {
					tab: async () => {
						await Promise.race([tab.tryToPlace(), new Promise((resolve) => setTimeout(resolve, 10_000))]);
						await browser.signIn("alice");
						tab.state.user = browser.customer;
						if ((await tab.tryToPlace(2)) === 200) await tab.confirm();
					},
				};
			};
		},
	},
	{
		title: "return | late place",
		async begin(world) {
			const saved = await tabThat(world, "pays", { user: "alice" });
			return () => {
				const { tab } = reopen(world, saved);
				const late = reopen(world, saved, "late tab");
				return { tab: () => tab.comeBack(), "late place": async () => void (await late.tab.tryToPlace()) };
			};
		},
	},
	{
		title: "cron cancels a day-old order | place again and pay",
		async begin(world) {
			const saved = await tabThat(world, "places", { user: "alice" });
			world.clock.ms += day + 10 * minute;
			return () => {
				const { tab } = reopen(world, saved);
				return { cron: () => world.cron(), tab: () => tab.buy() };
			};
		},
	},
	{
		title: "refund by the operator | return",
		async begin(world) {
			const saved = await tabThat(world, "pays", { user: "alice" });
			return () => {
				const { tab, id } = reopen(world, saved);
				return { tab: () => tab.comeBack(), operator: () => world.operator("", { refund: id }) };
			};
		},
	},
	{
		title: "refund by the operator | cron",
		async begin(world) {
			const saved = await tabThat(world, "pays", { user: "alice" });
			world.clock.ms += 4 * minute;
			return () => ({
				cron: () => world.cron(),
				operator: () => world.operator("", { refund: intentOf(saved.state) }),
			});
		},
	},
	{
		title: "payment without an order | two crons",
		alike: true,
		async begin(world) {
			await tabThat(world, "pays without an order");
			world.clock.ms += 4 * minute;
			return () => ({ "cron 1": () => world.cron(), "cron 2": () => world.cron() });
		},
	},
	{
		title: "payment without an order | cron | late place",
		async begin(world) {
			const saved = await tabThat(world, "pays without an order", { user: "alice" });
			world.clock.ms += 4 * minute;
			return () => {
				const { tab } = reopen(world, saved);
				return { cron: () => world.cron(), tab: async () => void (await tab.tryToPlace()) };
			};
		},
	},
	{
		title: "refund recorded for a payment without an order | late place and return",
		async begin(world) {
			const saved = await tabThat(world, "pays without an order", { user: "alice" });
			const id = intentOf(saved.state);
			world.shop.exec(`insert into refunds values ('${id}', 'no_order', null, 'pending', 0, ${world.now()})`);
			return () => {
				const { tab } = reopen(world, saved);
				return {
					tab: async () => {
						await tab.tryToPlace();
						await tab.comeBack();
					},
				};
			};
		},
	},
	{
		title: "purchase | hasty confirmation",
		async begin(world) {
			const saved = await tabThat(world, "prepares", { user: "alice" });
			return () => {
				const { tab } = reopen(world, saved);
				const hasty = reopen(world, saved);
				return { confirmation: () => hasty.tab.confirmByHand(), tab: () => tab.buy() };
			};
		},
	},
	{
		title: "lost order | two crons",
		alike: true,
		async begin(world) {
			await tabThat(world, "pays");
			loseOrders(world);
			world.clock.ms += 4 * minute;
			return () => ({ "cron 1": () => world.cron(), "cron 2": () => world.cron() });
		},
	},
	{
		title: "lost order | refund by the operator | return",
		async begin(world) {
			const saved = await tabThat(world, "pays", { user: "alice" });
			loseOrders(world);
			return () => {
				const { tab, id } = reopen(world, saved);
				return { tab: () => tab.comeBack(), operator: () => world.operator("", { refund: id }) };
			};
		},
	},
	{
		title: "lost order | refund by the operator | cron",
		async begin(world) {
			const { state } = await tabThat(world, "pays", { user: "alice" });
			loseOrders(world);
			world.clock.ms += 4 * minute;
			const refund = intentOf(state);
			return () => ({ cron: () => world.cron(), operator: () => world.operator("", { refund }) });
		},
	},
	{
		title: "lost order of a product that has been withdrawn | cron",
		async begin(world) {
			await tabThat(world, "pays");
			loseOrders(world);
			world.shop.exec(`delete from products where id = '${book}'`);
			world.clock.ms += 4 * minute;
			return () => ({ cron: () => world.cron() });
		},
	},
	{
		title: "database restored to before three orders | cron",
		async begin(world) {
			await tabThat(world, "pays", { user: "alice" });
			await tabThat(world, "pays", { user: "bob", product: speaker });
			await tabThat(world, "pays");
			loseOrders(world);
			world.shop.exec("delete from reconcile_cursor");
			world.clock.ms += 4 * minute;
			return () => ({ cron: () => world.cron() });
		},
	},
	{
		title: "four payments without an order and a lost order | cron",
		async begin(world) {
			await tabThat(world, "pays", { user: "alice" });
			loseOrders(world);
			for (const product of [book, book, speaker, speaker]) await tabThat(world, "pays without an order", { product });
			world.clock.ms += 4 * minute;
			return () => ({ cron: () => world.cron() });
		},
	},
	{
		title: "lost order behind a payment that fails every time | cron",
		async begin(world) {
			const { state } = await tabThat(world, "pays");
			await tabThat(world, "pays", { user: "alice" });
			loseOrders(world);
			world.clock.ms += 4 * minute;
			return () => {
				world.broken = intentOf(state);
				return { cron: () => world.cron() };
			};
		},
	},
	{
		title: "a flood of placed orders and a lost webhook | cron",
		async begin(world) {
			for (let count = 0; count < 60; count++) await tabThat(world, "places");
			await tabThat(world, "pays", { user: "alice" });
			world.clock.ms += 4 * minute;
			return () => ({ cron: async () => undefined });
		},
	},
	{
		title: "purchase | reload",
		lasts: 40,
		async begin(world) {
			const saved = await tabThat(world, "prepares");
			return () => {
				const { browser } = reopen(world, saved);
				const stored = new Map<string, string>();
				const first = new Tab(world, "tab", browser, saved.state, stored);
				const state = { ...saved.state, basket: [], created: null };
				return {
					tab: () => first.buy(),
					reload: async () => {
						await world.reload("tab");
						await new Tab(world, "tab", browser, state, stored).resume();
					},
				};
			};
		},
	},
	{
		title: "sign-in elsewhere | purchase of a guest",
		async begin(world) {
			const saved = await tabThat(world, "prepares");
			return () => {
				const { tab, browser } = reopen(world, saved);
				return { tab: () => tab.buyTwice(), "another tab": () => browser.signIn("alice") };
			};
		},
	},
	{
		title: "claim | return",
		async begin(world) {
			const saved = await tabThat(world, "pays");
			return () => {
				const { tab, browser } = reopen(world, saved);
				return { tab: () => tab.comeBack(), "another tab": () => browser.signIn("alice") };
			};
		},
	},
	{
		title: "claim | webhook",
		async begin(world) {
			await tabThat(world, "pays");
			const saved = await tabThat(world, "pays");
			return () => {
				const { browser } = reopen(world, saved);
				return { "another tab": () => browser.signIn("alice"), webhook: () => world.webhook(succeeded) };
			};
		},
	},
	{
		title: "two tabs",
		async begin(world) {
			const [one, two] = [await tabThat(world, "prepares"), await tabThat(world, "places")];
			return () => {
				const { tab, browser } = reopen(world, one, "tab 1");
				const other = reopen(world, two, "tab 2", browser);
				return {
					"tab 1": () => tab.buy(),
					"tab 2": async () => {
						await other.tab.confirm();
						await other.tab.comeBack();
					},
				};
			};
		},
	},
	{
		title: "new price | purchase",
		async begin(world) {
			const saved = await tabThat(world, "opens");
			return () => {
				const { tab } = reopen(world, saved);
				const sql = `update products set price_cents = 1500 where id = '${book}'`;
				return {
					tab: async () => {
						await tab.buyTwice();
					},
					operator: () => world.operator("the book costs $15.00", { sql }),
				};
			};
		},
	},
	{
		title: "product withdrawn | purchase",
		async begin(world) {
			const saved = await tabThat(world, "prepares");
			return () => {
				const { tab } = reopen(world, saved);
				const sql = `delete from products where id = '${book}'`;
				return { tab: () => tab.buy(), operator: () => world.operator("the book is withdrawn", { sql }) };
			};
		},
	},
	{
		title: "an order whose amount was edited | return | webhook",
		async begin(world) {
			const saved = await tabThat(world, "pays");
			world.shop.exec("update orders set amount = amount - 100");
			return () => {
				const { tab } = reopen(world, saved);
				return { tab: () => tab.comeBack(), webhook: () => world.webhook(succeeded) };
			};
		},
	},
];
