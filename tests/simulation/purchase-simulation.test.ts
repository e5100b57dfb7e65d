import { otherCurrency } from "../support/catalogue.ts";
import { changeDatabase } from "./events.ts";
import { exploreAll } from "./explore-all.ts";
import { change } from "./rows.ts";
import { book, createTab, intentOf, reopen, speaker, startWith } from "./scenario.ts";

const slowCard = { card: "pm_card_visa", slow: "confirm" } as const;
const slowDialog = { card: "pm_card_threeDSecure2Required", slow: "dialog" } as const;
const declinedCard = { card: "pm_card_visa_chargeDeclined" };

exploreAll([
	{
		title: "slow confirmation",
		lasts: 12,
		begin: startWith("prepares", {}, ({ tab }) => ({ tab: () => tab.buyTwice(slowCard) })),
	},
	{
		title: "slow confirmation while it is canceled",
		calm: 110,
		lasts: 140,
		begin: startWith("prepares", {}, ({ tab }) => ({ tab: () => tab.buy(slowCard) })),
	},
	{
		title: "slow confirmation of a page that was reloaded",
		begin: startWith("places", {}, ({ tab }) => ({
			confirmation: () => tab.confirm(slowCard),
			tab: () => tab.returnToShop(),
		})),
	},
	{
		title: "slow bank dialog",
		lasts: 12,
		begin: startWith("prepares", {}, ({ tab }) => ({ tab: () => tab.buyTwice(slowDialog) })),
	},
	{
		title: "tab from before a change of currency",
		async begin(world) {
			const saved = await createTab(world, "prepares");
			const id = intentOf(saved);
			change(world, id, "$.currency", otherCurrency);
			// as the shop signed it then, the signature would be invalid now
			const created = saved.state.created && { ...saved.state.created, signature: "" };
			return () => {
				const { tab } = reopen(world, { ...saved, state: { ...saved.state, created } });
				tab.currency = otherCurrency;
				return {
					async tab() {
						await tab.buyTwice();
						tab.state.basket = world.products(speaker);
						await tab.buyTwice();
						await (await tab.loadDocument()).buyTwice();
					},
				};
			};
		},
	},
	{
		title: "purchase | webhook",
		begin: startWith("prepares", { user: "alice" }, ({ tab, webhook }) => ({ tab: () => tab.buy(), webhook })),
	},
	{
		title: "return | webhook",
		begin: startWith("pays", { user: "alice" }, ({ tab, webhook }) => ({ tab: () => tab.returnToShop(), webhook })),
	},
	{
		title: "webhook twice",
		alike: true,
		begin: startWith("pays", { user: "alice" }, ({ webhook }) => ({ "webhook 1": webhook, "webhook 2": webhook })),
	},
	{
		title: "declined card, then another | webhook",
		begin: startWith("prepares", {}, ({ tab, webhook }) => ({
			tab: async () => {
				await tab.buy(declinedCard);
				if (tab.isNotCharged) await tab.buy();
			},
			webhook,
		})),
	},
	{
		title: "create at another total | confirmation",
		begin: startWith("places", {}, ({ tab, world, saved }) => {
			const earlier = reopen(world, saved).tab;
			return {
				confirmation: () => earlier.confirmElsewhere(),
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
		begin: startWith("pays", { user: "alice" }, ({ tab, world, saved }) => {
			const late = reopen(world, saved, "late tab").tab;
			return { tab: () => tab.returnToShop(), "late place": () => late.tryToPlace() };
		}),
	},
	{
		title: "purchase | early confirmation",
		begin: startWith("prepares", { user: "alice" }, ({ tab, world, saved }) => {
			const early = reopen(world, saved).tab;
			return { confirmation: () => early.confirmElsewhere(), tab: () => tab.buy() };
		}),
	},
	{
		title: "purchase | reload",
		lasts: 40,
		begin: startWith("prepares", {}, ({ tab }) => ({
			tab: () => tab.buy(),
			reload: async () => (await tab.reload()).resume(),
		})),
	},
	{
		title: "purchase | document that the shop loads",
		lasts: 40,
		begin: startWith("prepares", {}, ({ tab }) => ({
			tab: () => tab.buy(),
			load: async () => {
				const next = await tab.loadDocument();
				await next.resume();
				if (next.state.basket.length > 0) await next.buy();
			},
		})),
	},
	{
		title: "bank dialog | duplicated tab",
		calm: 14,
		lasts: 18,
		begin: startWith("prepares", {}, ({ tab }) => ({
			tab: () => tab.buy(slowDialog),
			copy: async () => (await tab.duplicate("copy")).resume(),
		})),
	},
	{
		title: "slow decline, then another card at another total",
		lasts: 11,
		begin: startWith("prepares", {}, ({ tab, world }) => ({
			tab: async () => {
				await tab.buy({ ...declinedCard, slow: "confirm" });
				if (!tab.isNotCharged) return;
				tab.state.basket = world.products(speaker);
				await tab.buy();
			},
		})),
	},
	{
		title: "two tabs",
		async begin(world) {
			const [one, two] = [await createTab(world, "prepares"), await createTab(world, "pays")];
			return () => {
				const { tab, browser } = reopen(world, one, "tab 1");
				const other = reopen(world, two, "tab 2", browser).tab;
				return { "tab 1": () => tab.buy(), "tab 2": () => other.returnToShop() };
			};
		},
	},
	{
		title: "new price | purchase",
		begin: startWith("opens", {}, ({ tab, world }) => {
			const sql = `update products set price_cents = price_cents + 300 where id = '${book}'`;
			return { tab: () => tab.buyTwice(), operator: () => changeDatabase(world, "the book costs $3.00 more", sql) };
		}),
	},
	{
		title: "product withdrawn | purchase",
		begin: startWith("prepares", {}, ({ tab, world }) => {
			const sql = `delete from products where id = '${book}'`;
			return { tab: () => tab.buy(), operator: () => changeDatabase(world, "the book is withdrawn", sql) };
		}),
	},

	// An order's owner changes.
	{
		title: "two places with different owners",
		lasts: 60,
		begin: startWith("prepares", {}, ({ tab, browser }) => ({
			tab: async () => {
				await tab.buy();
				if (!tab.isNotCharged) return;
				await browser.signIn("alice");
				tab.state.user = browser.customer;
				await tab.buy();
			},
		})),
	},
	{
		title: "two places with different owners, and no return",
		begin: startWith("prepares", {}, ({ tab, browser }) => ({
			tab: async () => {
				await Promise.race([tab.tryToPlace(), new Promise((resolve) => setTimeout(resolve, 10_000))]);
				await browser.signIn("alice");
				tab.state.user = browser.customer;
				if ((await tab.tryToPlace()) === 200) await tab.confirm();
			},
		})),
	},
	{
		title: "purchase of a customer | place with its client secret by a stranger",
		begin: startWith("prepares", { user: "alice" }, ({ tab, world, saved }) => {
			const stranger = reopen(world, { state: { ...saved.state, user: null }, cookies: [] }, "stranger").tab;
			return { tab: () => tab.buy(), stranger: () => stranger.tryToPlace() };
		}),
	},
	{
		title: "sign-in in another tab | purchase of a guest",
		begin: startWith("prepares", {}, ({ tab, browser }) => ({
			tab: () => tab.buyTwice(),
			"another tab": () => browser.signIn("alice"),
		})),
	},
	{
		title: "purchase of a guest | cookies are deleted",
		begin: startWith("prepares", {}, ({ tab, browser }) => ({
			tab: () => tab.buyTwice(),
			privacy: () => browser.deleteCookies(),
		})),
	},
	{
		title: "claim | return",
		begin: startWith("pays", {}, ({ tab, browser }) => ({
			tab: () => tab.returnToShop(),
			"another tab": () => browser.signIn("alice"),
		})),
	},
	{
		title: "claim | webhook",
		async begin(world) {
			await createTab(world, "pays");
			const begin = startWith("pays", {}, ({ browser, webhook }) => ({
				"another tab": () => browser.signIn("alice"),
				webhook,
			}));
			return begin(world);
		},
	},
]);
