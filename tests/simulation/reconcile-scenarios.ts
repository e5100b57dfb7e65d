import { deliverEvent, runCron } from "./happenings.ts";
import type { Scenario } from "./play.ts";
import { book, day, intentOf, loseOrders, minute, reopen, speaker, succeeded, tabThat } from "./starts.ts";

/** Orders and payments that have come apart. */
export const reconcileScenarios: Scenario[] = [
	{
		title: "cron cancels a day-old order | place again and pay",
		async begin(world) {
			const saved = await tabThat(world, "places", { user: "alice" });
			world.clock.ms += day + 10 * minute;
			return () => {
				const { tab } = reopen(world, saved);
				return { cron: () => runCron(world), tab: () => tab.buy() };
			};
		},
	},
	{
		title: "refund by the operator | return",
		async begin(world) {
			const saved = await tabThat(world, "pays", { user: "alice" });
			return () => {
				const { tab, id } = reopen(world, saved);
				return { tab: () => tab.comeBack(), operator: () => world.stripe.refundByHand(id) };
			};
		},
	},
	{
		title: "refund by the operator | cron",
		async begin(world) {
			const saved = await tabThat(world, "pays", { user: "alice" });
			world.clock.ms += 4 * minute;
			return () => ({
				cron: () => runCron(world),
				operator: () => world.stripe.refundByHand(intentOf(saved.state)),
			});
		},
	},
	{
		title: "payment without an order | two crons",
		alike: true,
		async begin(world) {
			await tabThat(world, "pays without an order");
			world.clock.ms += 4 * minute;
			return () => ({ "cron 1": () => runCron(world), "cron 2": () => runCron(world) });
		},
	},
	{
		title: "payment without an order | cron | late place",
		async begin(world) {
			const saved = await tabThat(world, "pays without an order", { user: "alice" });
			world.clock.ms += 4 * minute;
			return () => {
				const { tab } = reopen(world, saved);
				return { cron: () => runCron(world), tab: async () => void (await tab.tryToPlace()) };
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
		title: "lost order | two crons",
		alike: true,
		async begin(world) {
			await tabThat(world, "pays");
			loseOrders(world);
			world.clock.ms += 4 * minute;
			return () => ({ "cron 1": () => runCron(world), "cron 2": () => runCron(world) });
		},
	},
	{
		title: "lost order | refund by the operator | return",
		async begin(world) {
			const saved = await tabThat(world, "pays", { user: "alice" });
			loseOrders(world);
			return () => {
				const { tab, id } = reopen(world, saved);
				return { tab: () => tab.comeBack(), operator: () => world.stripe.refundByHand(id) };
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
			return () => ({ cron: () => runCron(world), operator: () => world.stripe.refundByHand(refund) });
		},
	},
	{
		title: "lost order of a product that has been withdrawn | cron",
		async begin(world) {
			await tabThat(world, "pays");
			loseOrders(world);
			world.shop.exec(`delete from products where id = '${book}'`);
			world.clock.ms += 4 * minute;
			return () => ({ cron: () => runCron(world) });
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
			return () => ({ cron: () => runCron(world) });
		},
	},
	{
		title: "four payments without an order and a lost order | cron",
		async begin(world) {
			await tabThat(world, "pays", { user: "alice" });
			loseOrders(world);
			for (const product of [book, book, speaker, speaker]) await tabThat(world, "pays without an order", { product });
			world.clock.ms += 4 * minute;
			return () => ({ cron: () => runCron(world) });
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
				world.stripe.broken = intentOf(state);
				return { cron: () => runCron(world) };
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
		title: "lost order whose event the cursor may pass | cron",
		async begin(world) {
			await tabThat(world, "pays");
			loseOrders(world);
			world.clock.ms += 11 * minute;
			return () => ({ cron: () => runCron(world) });
		},
	},
	{
		title: "an order whose amount was edited | return | webhook",
		async begin(world) {
			const saved = await tabThat(world, "pays");
			world.shop.exec("update orders set amount = amount - 100");
			return () => {
				const { tab } = reopen(world, saved);
				return { tab: () => tab.comeBack(), webhook: () => deliverEvent(world, succeeded) };
			};
		},
	},
	{
		title: "an order that was abandoned by hand | return | webhook",
		async begin(world) {
			const saved = await tabThat(world, "pays");
			world.shop.exec("update orders set status = 'abandoned'; delete from order_items");
			return () => {
				const { tab } = reopen(world, saved);
				return { tab: () => tab.comeBack(), webhook: () => deliverEvent(world, succeeded) };
			};
		},
	},
];
