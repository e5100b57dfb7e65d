import { SECRET_KEY } from "stripe-emulator/keys.ts";
import { changeDatabase, deliverEvent, runCron } from "./events.ts";
import { exploreAll } from "./explore-all.ts";
import { change, payWithoutOrder } from "./rows.ts";
import {
	addTab,
	book,
	createTab,
	cronsOfAnHour,
	failingCleanup,
	loseOrders,
	minute,
	settings,
	speaker,
	sql,
	startWith,
	wait,
	waitForCron,
} from "./scenario.ts";
import { otherKey } from "./stripe.ts";
import type { World } from "./world.ts";

const restored = "delete from order_items; delete from orders; delete from reconcile_cursor";
const otherKeys = settings({ secretKey: otherKey });

// Orders and payments disagree.
exploreAll([
	{
		title: "cron cancels an hour-old order | place again and pay",
		begin: startWith("places", { user: "alice", after: [wait(70 * minute)] }, ({ tab, cron }) => ({
			cron,
			tab: () => tab.buy(),
		})),
	},
	{
		title: "refund by the operator | return",
		begin: startWith("pays", { user: "alice" }, ({ tab, refund }) => ({
			tab: () => tab.returnToShop(),
			operator: refund,
		})),
	},
	{
		title: "refund by the operator | cron",
		begin: startWith("pays", { user: "alice", after: [waitForCron] }, ({ cron, refund }) => ({
			cron,
			operator: refund,
		})),
	},
	{
		title: "payment without an order | two crons",
		alike: true,
		begin: startWith("pays without an order", { after: [waitForCron] }, ({ cron }) => ({
			"cron 1": cron,
			"cron 2": cron,
		})),
	},
	{
		title: "payment without an order | cron | late place",
		combinesFaults: true,
		begin: startWith("pays without an order", { user: "alice", after: [waitForCron] }, ({ tab, cron }) => ({
			cron,
			tab: () => tab.tryToPlace(),
		})),
	},
	{
		title: "refund recorded for a payment without an order | late place and return",
		begin: startWith("pays without an order", { user: "alice", after: [recordRefund] }, ({ tab }) => ({
			tab: async () => {
				await tab.tryToPlace();
				await tab.returnToShop();
			},
		})),
	},
	{
		title: "lost order | two crons",
		alike: true,
		begin: startWith("pays", { after: [loseOrders, waitForCron] }, ({ cron }) => ({ "cron 1": cron, "cron 2": cron })),
	},
	{
		title: "lost order | refund by the operator | return",
		begin: startWith("pays", { user: "alice", after: [loseOrders] }, ({ tab, refund }) => ({
			tab: () => tab.returnToShop(),
			operator: refund,
		})),
	},
	{
		title: "lost order | refund by the operator | cron",
		begin: startWith("pays", { user: "alice", after: [loseOrders, waitForCron] }, ({ cron, refund }) => ({
			cron,
			operator: refund,
		})),
	},
	{
		title: "lost order of a product that has been withdrawn | cron",
		begin: startWith(
			"pays",
			{ after: [loseOrders, sql(`delete from products where id = '${book}'`), waitForCron] },
			({ cron }) => ({ cron }),
		),
	},
	{
		title: "database restored to before three orders | cron",
		begin: startWith(
			"pays",
			{
				user: "alice",
				after: [
					addTab("pays", { user: "bob", product: speaker }),
					addTab("pays"),
					loseOrders,
					sql("delete from reconcile_cursor"),
					waitForCron,
				],
			},
			({ cron }) => ({ cron }),
		),
	},
	{
		title: "cron | database restored to before an order",
		begin: startWith("pays", { after: [waitForCron, runCron, wait(20 * minute)] }, ({ cron, world }) => ({
			cron,
			operator: () => changeDatabase(world, "D1 is restored", restored),
		})),
	},
	{
		title: "four payments without an order and a lost order | cron",
		begin: startWith(
			"pays",
			{
				user: "alice",
				after: [
					loseOrders,
					...[book, book, speaker, speaker].map((product) => addTab("pays without an order", { product })),
					waitForCron,
				],
			},
			({ cron }) => ({ cron }),
		),
	},
	{
		title: "lost order behind a payment that fails every time | cron",
		begin: startWith(
			"pays",
			{ after: [addTab("pays", { user: "alice" }), loseOrders, waitForCron] },
			({ world, id, cron }) => {
				world.stripe.broken.add(id);
				return { cron };
			},
		),
	},
	{
		title: "lost order while a cleanup fails every time | cron",
		begin: startWith("pays", { after: [loseOrders, waitForCron, sql(failingCleanup)] }, ({ cron }) => ({ cron })),
	},
	{
		title: "refund that failed at the bank | another refund by the operator | cron",
		begin: startWith(
			"pays",
			{
				user: "alice",
				card: "pm_card_refundFail",
				after: [waitForCron, refundTwice],
			},
			({ cron, refund }) => ({ cron, operator: refund }),
		),
	},
	{
		title: "a flood of placed orders and a lost webhook | cron",
		async begin(world) {
			for (let count = 0; count < 60; count++) await createTab(world, "places");
			await createTab(world, "pays", { user: "alice" });
			world.clock.ms += 4 * minute;
			return () => ({});
		},
	},
	{
		title: "lost order whose event the cursor may pass | cron",
		begin: startWith("pays", { after: [loseOrders, wait(11 * minute)] }, ({ cron }) => ({ cron })),
	},
	{
		title: "keys of another account for an hour | cron | return",
		begin: startWith(
			"pays",
			{ user: "alice", after: [waitForCron, otherKeys, cronsOfAnHour] },
			({ tab, cron, set }) => ({
				cron,
				operator: () => set({ secretKey: SECRET_KEY }),
				tab: () => tab.returnToShop(),
			}),
		),
	},
	{
		title: "lost order | webhook | keys of another account and back",
		begin: startWith("pays", { after: [loseOrders] }, ({ webhook, set }) => ({
			webhook,
			operator: async () => {
				await set({ secretKey: otherKey });
				await set({ secretKey: SECRET_KEY });
			},
		})),
	},
	{
		title: "another SHOP_ID since the order was placed | cron | return",
		begin: startWith(
			"pays",
			{ user: "alice", after: [waitForCron, settings({ shopId: "renamed" })] },
			({ tab, cron }) => ({ cron, tab: () => tab.returnToShop() }),
		),
	},
	{
		title: "lost order behind refunds of another shop | cron",
		begin: startWith("pays", { after: [loseOrders, addRefundsOfAnotherShop, waitForCron] }, ({ cron }) => ({ cron })),
	},
	{
		title: "refund canceled by the operator | cron | webhook",
		begin: startWith(
			"pays",
			{ user: "alice", card: "pm_card_pendingRefund", after: [waitForCron, refundAndRecord] },
			({ world, id, cron }) => ({
				cron,
				operator: () => world.stripe.cancelRefund(id),
				webhook: () => deliverEvent(world, "refund.updated"),
			}),
		),
	},
	{
		title: "an order whose amount was edited | return | webhook",
		begin: startWith("pays", { after: [sql("update orders set amount = amount - 100")] }, ({ tab, webhook }) => ({
			tab: () => tab.returnToShop(),
			webhook,
		})),
	},
	{
		title: "an order that was abandoned by hand | return | webhook",
		begin: startWith(
			"pays",
			{ after: [sql("update orders set status = 'abandoned'; delete from order_items")] },
			({ tab, webhook }) => ({ tab: () => tab.returnToShop(), webhook }),
		),
	},
]);

/** Refunds the tab's payment, and records the refund while it is pending. */
async function refundAndRecord(world: World, id: string): Promise<void> {
	await runCron(world);
	await world.stripe.refundByHand(id);
	await runCron(world);
}

/** Adds three refunded payments of another shop to the account. */
async function addRefundsOfAnotherShop(world: World): Promise<void> {
	for (let count = 0; count < 3; count++) {
		const id = await payWithoutOrder(world, { card: "pm_card_pendingRefund" });
		change(world, id, "$.metadata.shop", "another");
		await world.stripe.refundByHand(id);
	}
	await new Promise((resolve) => setTimeout(resolve, 2 * minute));
}

function recordRefund(world: World, id: string): void {
	const refund = { reason: "orphan", status: "pending", attempts: 0, created: world.now() };
	world.shop.insert("refunds", { payment_intent_id: id, ...refund });
}

/** Refunds a payment twice, which fails at the bank, and lets later refunds succeed. */
async function refundTwice(world: World, id: string): Promise<void> {
	await runCron(world);
	await world.stripe.refundByHand(id);
	await runCron(world);
	await new Promise((resolve) => setTimeout(resolve, 5 * minute));
	await runCron(world);
	const path = "'$.outcome.refund', 'succeeds'";
	world.stripe.database.exec(`update objects set object = json_set(object, ${path}) where kind = 'payment_method'`);
}
