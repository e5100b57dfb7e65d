import { deliverEvent } from "./happenings.ts";
import type { Scenario } from "./play.ts";
import { reopen, succeeded, tabThat } from "./starts.ts";

/** Orders that change hands. */
export const ownerScenarios: Scenario[] = [
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
				return { "another tab": () => browser.signIn("alice"), webhook: () => deliverEvent(world, succeeded) };
			};
		},
	},
];
