import { deliverEvent } from "./events.ts";
import type { Scenario } from "./schedule.ts";
import { createTab, reopen, startWith, succeeded } from "./setup.ts";

/** Scenarios in which an order's owner changes. */
export const ownerScenarios: Scenario[] = [
	{
		title: "two places with different owners",
		lasts: 60,
		begin: startWith("prepares", {}, ({ open }) => {
			const { tab, browser } = open();
			return {
				tab: async () => {
					await tab.buy();
					if (!tab.isNotCharged) return;
					await browser.signIn("alice");
					tab.state.user = browser.customer;
					await tab.buy();
				},
			};
		}),
	},
	{
		title: "two places with different owners, and no return",
		begin: startWith("prepares", {}, ({ open }) => {
			const { tab, browser } = open();
			return {
				tab: async () => {
					await Promise.race([tab.tryToPlace(), new Promise((resolve) => setTimeout(resolve, 10_000))]);
					await browser.signIn("alice");
					tab.state.user = browser.customer;
					if ((await tab.tryToPlace()) === 200) await tab.confirm();
				},
			};
		}),
	},
	{
		title: "purchase of a customer | place with its client secret by a stranger",
		begin: startWith("prepares", { user: "alice" }, ({ world, saved, open }) => {
			const { tab } = open();
			const stranger = reopen(world, { state: { ...saved.state, user: null }, cookies: [] }, "stranger").tab;
			return { tab: () => tab.buy(), stranger: async () => void (await stranger.tryToPlace()) };
		}),
	},
	{
		title: "sign-in in another tab | purchase of a guest",
		begin: startWith("prepares", {}, ({ open }) => {
			const { tab, browser } = open();
			return { tab: () => tab.buyTwice(), "another tab": () => browser.signIn("alice") };
		}),
	},
	{
		title: "claim | return",
		begin: startWith("pays", {}, ({ open }) => {
			const { tab, browser } = open();
			return { tab: () => tab.returnToShop(), "another tab": () => browser.signIn("alice") };
		}),
	},
	{
		title: "claim | webhook",
		async begin(world) {
			await createTab(world, "pays");
			return startWith("pays", {}, ({ open }) => {
				const { browser } = open();
				return { "another tab": () => browser.signIn("alice"), webhook: () => deliverEvent(world, succeeded) };
			})(world);
		},
	},
];
