import { deliverEvent, runCron } from "./events.ts";
import type { Scenario } from "./schedule.ts";
import {
	book,
	createTab,
	day,
	failingCleanup,
	loseOrders,
	minute,
	speaker,
	startWith,
	succeeded,
	wait,
	waitForCron,
} from "./setup.ts";
import type { World } from "./world.ts";

function loseOrdersAndWait(world: World): void {
	loseOrders(world);
	waitForCron(world);
}

/** Scenarios in which orders and payments disagree. */
export const reconcileScenarios: Scenario[] = [
	{
		title: "cron cancels a day-old order | place again and pay",
		begin: startWith("places", { user: "alice", after: wait(day + 10 * minute) }, ({ open, world }) => {
			const { tab } = open();
			return { cron: () => runCron(world), tab: () => tab.buy() };
		}),
	},
	{
		title: "refund by the operator | return",
		begin: startWith("pays", { user: "alice" }, ({ open, world, id }) => {
			const { tab } = open();
			return { tab: () => tab.returnToShop(), operator: () => world.stripe.refundByHand(id) };
		}),
	},
	{
		title: "refund by the operator | cron",
		begin: startWith("pays", { user: "alice", after: waitForCron }, ({ world, id }) => ({
			cron: () => runCron(world),
			operator: () => world.stripe.refundByHand(id),
		})),
	},
	{
		title: "payment without an order | two crons",
		alike: true,
		begin: startWith("pays without an order", { after: waitForCron }, ({ world }) => ({
			"cron 1": () => runCron(world),
			"cron 2": () => runCron(world),
		})),
	},
	{
		title: "payment without an order | cron | late place",
		combinesFaults: true,
		begin: startWith("pays without an order", { user: "alice", after: waitForCron }, ({ open, world }) => {
			const { tab } = open();
			return { cron: () => runCron(world), tab: async () => void (await tab.tryToPlace()) };
		}),
	},
	{
		title: "refund recorded for a payment without an order | late place and return",
		begin: startWith(
			"pays without an order",
			{
				user: "alice",
				after: (world, id) =>
					world.shop.exec(`insert into refunds values ('${id}', 'no_order', null, 'pending', 0, ${world.now()})`),
			},
			({ open }) => {
				const { tab } = open();
				return {
					tab: async () => {
						await tab.tryToPlace();
						await tab.returnToShop();
					},
				};
			},
		),
	},
	{
		title: "lost order | two crons",
		alike: true,
		begin: startWith("pays", { after: loseOrdersAndWait }, ({ world }) => ({
			"cron 1": () => runCron(world),
			"cron 2": () => runCron(world),
		})),
	},
	{
		title: "lost order | refund by the operator | return",
		begin: startWith("pays", { user: "alice", after: loseOrders }, ({ open, world, id }) => {
			const { tab } = open();
			return { tab: () => tab.returnToShop(), operator: () => world.stripe.refundByHand(id) };
		}),
	},
	{
		title: "lost order | refund by the operator | cron",
		begin: startWith("pays", { user: "alice", after: loseOrdersAndWait }, ({ world, id }) => ({
			cron: () => runCron(world),
			operator: () => world.stripe.refundByHand(id),
		})),
	},
	{
		title: "lost order of a product that has been withdrawn | cron",
		async begin(world) {
			await createTab(world, "pays");
			loseOrders(world);
			world.shop.exec(`delete from products where id = '${book}'`);
			waitForCron(world);
			return () => ({ cron: () => runCron(world) });
		},
	},
	{
		title: "database restored to before three orders | cron",
		async begin(world) {
			await createTab(world, "pays", { user: "alice" });
			await createTab(world, "pays", { user: "bob", product: speaker });
			await createTab(world, "pays");
			loseOrders(world);
			world.shop.exec("delete from reconcile_cursor");
			waitForCron(world);
			return () => ({ cron: () => runCron(world) });
		},
	},
	{
		title: "four payments without an order and a lost order | cron",
		async begin(world) {
			await createTab(world, "pays", { user: "alice" });
			loseOrders(world);
			for (const product of [book, book, speaker, speaker]) {
				await createTab(world, "pays without an order", { product });
			}
			waitForCron(world);
			return () => ({ cron: () => runCron(world) });
		},
	},
	{
		title: "lost order behind a payment that fails every time | cron",
		begin: startWith(
			"pays",
			{
				async after(world) {
					await createTab(world, "pays", { user: "alice" });
					loseOrdersAndWait(world);
				},
			},
			({ world, id }) => {
				world.stripe.broken.add(id);
				return { cron: () => runCron(world) };
			},
		),
	},
	{
		title: "lost order while a cleanup fails every time | cron",
		begin: startWith(
			"pays",
			{
				after(world) {
					loseOrdersAndWait(world);
					world.shop.exec(failingCleanup);
				},
			},
			({ world }) => ({ cron: () => runCron(world) }),
		),
	},
	{
		title: "refund that failed at the bank | another refund by the operator | cron",
		begin: startWith(
			"pays",
			{
				user: "alice",
				card: "pm_card_refundFail",
				async after(world, id) {
					waitForCron(world);
					await runCron(world);
					await world.stripe.refundByHand(id);
					await runCron(world);
					await new Promise((resolve) => setTimeout(resolve, 5 * minute));
					await runCron(world);
					// the second refund does not fail
					const path = "'$.outcome.refund', 'succeeds'";
					world.stripe.database.exec(
						`update objects set object = json_set(object, ${path}) where kind = 'payment_method'`,
					);
				},
			},
			({ world, id }) => ({ cron: () => runCron(world), operator: () => world.stripe.refundByHand(id) }),
		),
	},
	{
		title: "a flood of placed orders and a lost webhook | cron",
		async begin(world) {
			for (let count = 0; count < 60; count++) await createTab(world, "places");
			await createTab(world, "pays", { user: "alice" });
			waitForCron(world);
			return () => ({ cron: async () => undefined });
		},
	},
	{
		title: "lost order whose event the cursor may pass | cron",
		async begin(world) {
			await createTab(world, "pays");
			loseOrders(world);
			world.clock.ms += 11 * minute;
			return () => ({ cron: () => runCron(world) });
		},
	},
	{
		title: "an order whose amount was edited | return | webhook",
		begin: startWith(
			"pays",
			{ after: ({ shop }) => shop.exec("update orders set amount = amount - 100") },
			({ open, world }) => {
				const { tab } = open();
				return { tab: () => tab.returnToShop(), webhook: () => deliverEvent(world, succeeded) };
			},
		),
	},
	{
		title: "an order that was abandoned by hand | return | webhook",
		begin: startWith(
			"pays",
			{ after: ({ shop }) => shop.exec("update orders set status = 'abandoned'; delete from order_items") },
			({ open, world }) => {
				const { tab } = open();
				return { tab: () => tab.returnToShop(), webhook: () => deliverEvent(world, succeeded) };
			},
		),
	},
];
