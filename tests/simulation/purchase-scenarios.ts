import { changeDatabase, deliverEvent, reload } from "./happenings.ts";
import type { Scenario } from "./play.ts";
import { Tab } from "./shopper.ts";
import { book, reopen, speaker, succeeded, tabThat, threeDSecure } from "./starts.ts";

/** Shoppers who buy. */
export const purchaseScenarios: Scenario[] = [
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
		lasts: 12,
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
				return { tab: () => tab.buy(), webhook: () => deliverEvent(world, succeeded) };
			};
		},
	},
	{
		title: "return | webhook",
		async begin(world) {
			const saved = await tabThat(world, "pays", { user: "alice" });
			return () => {
				const { tab } = reopen(world, saved);
				return { tab: () => tab.comeBack(), webhook: () => deliverEvent(world, succeeded) };
			};
		},
	},
	{
		title: "webhook twice",
		alike: true,
		async begin(world) {
			await tabThat(world, "pays", { user: "alice" });
			const webhook = () => deliverEvent(world, succeeded);
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
					webhook: () => deliverEvent(world, succeeded),
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
						await reload(world, "tab");
						await new Tab(world, "tab", browser, state, stored).resume();
					},
				};
			};
		},
	},
	{
		title: "two tabs",
		async begin(world) {
			const [one, two] = [await tabThat(world, "prepares"), await tabThat(world, "pays")];
			return () => {
				const { tab, browser } = reopen(world, one, "tab 1");
				const other = reopen(world, two, "tab 2", browser);
				return {
					"tab 1": () => tab.buy(),
					"tab 2": () => other.tab.comeBack(),
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
					operator: () => changeDatabase(world, "the book costs $15.00", sql),
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
				return { tab: () => tab.buy(), operator: () => changeDatabase(world, "the book is withdrawn", sql) };
			};
		},
	},
];
