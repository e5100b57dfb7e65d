import { SECRET_KEY } from "stripe-emulator/keys.ts";
import { changeDatabase, changeSettings, deliverEvent, runCron } from "./events.ts";
import { testScenario } from "./explore-all.ts";
import { change, payWithoutOrder, recordRefund } from "./rows.ts";
import {
	book,
	cronsOfAnHour,
	failCleanup,
	loseOrders,
	minute,
	openTab,
	refundByHand,
	speaker,
	wait,
	waitForCron,
} from "./scenario.ts";
import { otherKey } from "./stripe.ts";
import type { World } from "./world.ts";

// Orders and payments disagree.
testScenario(
	"cron cancels an hour-old order | place again and pay",
	"places",
	{ user: "alice", after: [() => wait(70 * minute)] },
	({ tab, cron }) => ({ cron, tab: () => tab.buy() }),
);
testScenario("refund by the operator | return", "pays", { user: "alice" }, ({ tab, refund }) => ({
	tab: () => tab.returnToShop(),
	operator: refund,
}));
testScenario("refund by the operator | cron", "pays", { user: "alice", after: [waitForCron] }, ({ cron, refund }) => ({
	cron,
	operator: refund,
}));
testScenario(
	"payment without an order | two crons",
	"pays without an order",
	{ after: [waitForCron], alike: true },
	({ cron }) => ({ "cron 1": cron, "cron 2": cron }),
);
testScenario(
	"payment without an order | cron | late place",
	"pays without an order",
	{ user: "alice", after: [waitForCron], combinesFaults: true },
	({ tab, cron }) => ({ cron, tab: () => tab.tryToPlace() }),
);
testScenario(
	"refund recorded for a payment without an order | late place and return",
	"pays without an order",
	{ user: "alice", after: [recordRefund] },
	({ tab }) => ({
		async tab() {
			await tab.tryToPlace();
			await tab.returnToShop();
		},
	}),
);
testScenario("lost order | two crons", "pays", { after: [loseOrders, waitForCron], alike: true }, ({ cron }) => ({
	"cron 1": cron,
	"cron 2": cron,
}));
testScenario(
	"lost order | refund by the operator | return",
	"pays",
	{ user: "alice", after: [loseOrders] },
	({ tab, refund }) => ({ tab: () => tab.returnToShop(), operator: refund }),
);
testScenario(
	"lost order | refund by the operator | cron",
	"pays",
	{ user: "alice", after: [loseOrders, waitForCron] },
	({ cron, refund }) => ({ cron, operator: refund }),
);
testScenario(
	"lost order of a product that has been withdrawn | cron",
	"pays",
	{ after: [loseOrders, ({ shop }) => shop.exec(`delete from products where id = '${book.id}'`), waitForCron] },
	({ cron }) => ({ cron }),
);
testScenario(
	"database restored to before three orders | cron",
	"pays",
	{
		user: "alice",
		after: [
			(world) => openTab(world, "pays", { user: "bob", basket: [speaker] }),
			(world) => openTab(world, "pays"),
			loseOrders,
			({ shop }) => shop.exec("delete from reconcile_cursor"),
			waitForCron,
		],
	},
	({ cron }) => ({ cron }),
);
testScenario(
	"cron | database restored to before an order",
	"pays",
	{ after: [waitForCron, runCron, () => wait(20 * minute)] },
	({ cron, world }) => {
		const sql = "delete from order_items; delete from orders; delete from reconcile_cursor";
		return { cron, operator: () => changeDatabase(world, "D1 is restored", sql) };
	},
);
testScenario(
	"four payments without an order and a lost order | cron",
	"pays",
	{
		user: "alice",
		after: [
			loseOrders,
			...[book, book, speaker, speaker].map((item) => (world: World) => payWithoutOrder(world, { basket: [item] })),
			waitForCron,
		],
	},
	({ cron }) => ({ cron }),
);
testScenario(
	"lost order behind a payment that fails every time | cron",
	"pays",
	{ after: [(world) => openTab(world, "pays", { user: "alice" }), loseOrders, waitForCron] },
	({ world, tab, cron }) => {
		world.stripe.broken.add(tab.id);
		return { cron };
	},
);
testScenario(
	"lost order while a cleanup fails every time | cron",
	"pays",
	{ after: [loseOrders, waitForCron, failCleanup] },
	({ cron }) => ({ cron }),
);
testScenario(
	"refund that failed at the bank | another refund by the operator | cron",
	"pays",
	{
		user: "alice",
		card: "pm_card_refundFail",
		after: [waitForCron, runCron, refundByHand, runCron, () => wait(5 * minute), runCron, letRefundsSucceed],
	},
	({ cron, refund }) => ({ cron, operator: refund }),
);
testScenario(
	"a flood of placed orders and a lost webhook | cron",
	"pays",
	{ user: "alice", after: [addFloodOfOrders, waitForCron] },
	() => ({}),
);
testScenario(
	"lost order whose event the cursor may pass | cron",
	"pays",
	{ after: [loseOrders, () => wait(11 * minute)] },
	({ cron }) => ({ cron }),
);
testScenario(
	"keys of another account for an hour | cron | return",
	"pays",
	{ user: "alice", after: [waitForCron, (world) => changeSettings(world, { secretKey: otherKey }), cronsOfAnHour] },
	({ tab, cron, world }) => ({
		cron,
		operator: () => changeSettings(world, { secretKey: SECRET_KEY }),
		tab: () => tab.returnToShop(),
	}),
);
testScenario(
	"lost order | webhook | keys of another account and back",
	"pays",
	{ after: [loseOrders] },
	({ webhook, world }) => ({
		webhook,
		async operator() {
			await changeSettings(world, { secretKey: otherKey });
			await changeSettings(world, { secretKey: SECRET_KEY });
		},
	}),
);
testScenario(
	"another SHOP_ID since the order was placed | cron | return",
	"pays",
	{ user: "alice", after: [waitForCron, (world) => changeSettings(world, { shopId: "renamed" })] },
	({ tab, cron }) => ({ cron, tab: () => tab.returnToShop() }),
);
testScenario(
	"lost order behind refunds of another shop | cron",
	"pays",
	{ after: [loseOrders, addRefundsOfAnotherShop, waitForCron] },
	({ cron }) => ({ cron }),
);
testScenario(
	"refund canceled by the operator | cron | webhook",
	"pays",
	{ user: "alice", card: "pm_card_pendingRefund", after: [waitForCron, runCron, refundByHand, runCron] },
	({ world, tab, cron }) => ({
		cron,
		operator: () => world.stripe.cancelRefund(tab.id),
		webhook: () => deliverEvent(world, "refund.updated"),
	}),
);
testScenario(
	"an order whose amount was edited | return | webhook",
	"pays",
	{ after: [({ shop }) => shop.exec("update orders set amount = amount - 100")] },
	({ tab, webhook }) => ({ tab: () => tab.returnToShop(), webhook }),
);
testScenario(
	"an order that was abandoned by hand | return | webhook",
	"pays",
	{ after: [({ shop }) => shop.exec("update orders set status = 'abandoned'; delete from order_items")] },
	({ tab, webhook }) => ({ tab: () => tab.returnToShop(), webhook }),
);

/** Adds sixty unpaid orders, which the cron polls before the tab's. */
async function addFloodOfOrders(world: World, id: string): Promise<void> {
	for (let count = 0; count < 60; count++) await openTab(world, "places");
	world.shop.exec(`update orders set due_at = due_at + 1 where payment_intent_id = '${id}'`);
}

/** Lets the refunds of cards whose refunds fail succeed. */
function letRefundsSucceed({ stripe }: World): void {
	const path = "'$.outcome.refund', 'succeeds'";
	stripe.database.exec(`update objects set object = json_set(object, ${path}) where kind = 'payment_method'`);
}

/** Adds three refunded payments of another shop to the account. */
async function addRefundsOfAnotherShop(world: World): Promise<void> {
	for (let count = 0; count < 3; count++) {
		const id = await payWithoutOrder(world, { card: "pm_card_pendingRefund" });
		change(world, id, "$.metadata.shop", "another");
		await world.stripe.refundByHand(id);
	}
	await wait(2 * minute);
}
