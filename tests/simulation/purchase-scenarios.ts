import { changeDatabase, deliverEvent, duplicate, reload } from "./events.ts";
import type { Scenario } from "./schedule.ts";
import { book, createTab, reopen, speaker, startWith, succeeded, threeDSecure } from "./setup.ts";
import { Tab } from "./tab.ts";

const slowCard = { card: "pm_card_visa", slow: "confirm" } as const;
const slowDialog = { card: threeDSecure, slow: "dialog" } as const;

export const purchaseScenarios: Scenario[] = [
	{
		title: "slow confirmation",
		lasts: 12,
		begin: startWith("prepares", {}, ({ open }) => {
			const { tab } = open();
			return { tab: () => tab.buyTwice(slowCard) };
		}),
	},
	{
		title: "slow confirmation while it is canceled",
		calm: 110,
		lasts: 140,
		begin: startWith("prepares", {}, ({ open }) => {
			const { tab } = open();
			return { tab: () => tab.buy(slowCard) };
		}),
	},
	{
		title: "slow confirmation of a page that was reloaded",
		begin: startWith("places", {}, ({ open }) => {
			const { tab } = open();
			return { confirmation: () => tab.confirm(slowCard), tab: () => tab.returnToShop() };
		}),
	},
	{
		title: "slow bank dialog",
		lasts: 12,
		begin: startWith("prepares", {}, ({ open }) => {
			const { tab } = open();
			return { tab: () => tab.buyTwice(slowDialog) };
		}),
	},
	{
		title: "purchase | webhook",
		begin: startWith("prepares", { user: "alice" }, ({ open, world }) => {
			const { tab } = open();
			return { tab: () => tab.buy(), webhook: () => deliverEvent(world, succeeded) };
		}),
	},
	{
		title: "return | webhook",
		begin: startWith("pays", { user: "alice" }, ({ open, world }) => {
			const { tab } = open();
			return { tab: () => tab.returnToShop(), webhook: () => deliverEvent(world, succeeded) };
		}),
	},
	{
		title: "webhook twice",
		alike: true,
		begin: startWith("pays", { user: "alice" }, ({ world }) => {
			const webhook = () => deliverEvent(world, succeeded);
			return { "webhook 1": webhook, "webhook 2": webhook };
		}),
	},
	{
		title: "declined card, then another | webhook",
		begin: startWith("prepares", {}, ({ open, world }) => {
			const { tab } = open();
			return {
				tab: async () => {
					await tab.buy({ card: "pm_card_visa_chargeDeclined" });
					if (tab.isNotCharged) await tab.buy();
				},
				webhook: () => deliverEvent(world, succeeded),
			};
		}),
	},
	{
		title: "create at another total | confirmation",
		begin: startWith("places", {}, ({ open, world }) => {
			const { tab } = open();
			const earlier = open();
			return {
				confirmation: () => earlier.tab.confirmElsewhere(),
				tab: async () => {
					await tab.prepare();
					tab.state.basket = world.products(book, speaker);
					await tab.buy();
				},
			};
		}),
	},
	{
		title: "return | late place",
		begin: startWith("pays", { user: "alice" }, ({ open }) => {
			const { tab } = open();
			const late = open("late tab");
			return { tab: () => tab.returnToShop(), "late place": async () => void (await late.tab.tryToPlace()) };
		}),
	},
	{
		title: "purchase | early confirmation",
		begin: startWith("prepares", { user: "alice" }, ({ open }) => {
			const { tab } = open();
			const early = open();
			return { confirmation: () => early.tab.confirmElsewhere(), tab: () => tab.buy() };
		}),
	},
	{
		title: "purchase | reload",
		lasts: 40,
		begin: startWith("prepares", {}, ({ open, world, saved }) => {
			const { browser } = open();
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
		}),
	},
	{
		title: "bank dialog | duplicated tab",
		calm: 14,
		lasts: 18,
		begin: startWith("prepares", {}, ({ open, world, saved }) => {
			const { browser } = open();
			const stored = new Map<string, string>();
			const first = new Tab(world, "tab", browser, saved.state, stored);
			const state = { ...saved.state, basket: [], created: null };
			return {
				tab: () => first.buy(slowDialog),
				copy: async () => {
					await duplicate(world, stored);
					await new Tab(world, "copy", browser, state, new Map(stored)).resume();
				},
			};
		}),
	},
	{
		title: "slow decline, then another card at another total",
		lasts: 11,
		begin: startWith("prepares", {}, ({ open, world }) => {
			const { tab } = open();
			return {
				tab: async () => {
					await tab.buy({ card: "pm_card_visa_chargeDeclined", slow: "confirm" });
					if (!tab.isNotCharged) return;
					tab.state.basket = world.products(speaker);
					await tab.buy();
				},
			};
		}),
	},
	{
		title: "two tabs",
		async begin(world) {
			const [one, two] = [await createTab(world, "prepares"), await createTab(world, "pays")];
			return () => {
				const { tab, browser } = reopen(world, one, "tab 1");
				const other = reopen(world, two, "tab 2", browser);
				return { "tab 1": () => tab.buy(), "tab 2": () => other.tab.returnToShop() };
			};
		},
	},
	{
		title: "new price | purchase",
		begin: startWith("opens", {}, ({ open, world }) => {
			const { tab } = open();
			const sql = `update products set price_cents = price_cents + 300 where id = '${book}'`;
			return { tab: () => tab.buyTwice(), operator: () => changeDatabase(world, "the book costs $3.00 more", sql) };
		}),
	},
	{
		title: "product withdrawn | purchase",
		begin: startWith("prepares", {}, ({ open, world }) => {
			const { tab } = open();
			const sql = `delete from products where id = '${book}'`;
			return { tab: () => tab.buy(), operator: () => changeDatabase(world, "the book is withdrawn", sql) };
		}),
	},
];
