import { SECRET_KEY } from "stripe-emulator/keys.ts";
import { changeSettings, deliverEvent, runCron } from "./events.ts";
import { testScenario } from "./explore-all.ts";
import { cronsOfAnHour, failCleanup, minute, openTab, refundByHand, wait } from "./scenario.ts";
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
	operator: () => refund(),
}));
testScenario(
	"partial refund | refund of the rest by the operator | return",
	"pays",
	{ user: "alice", after: [(world, id) => refundByHand(world, id, 50)] },
	({ tab, refund }) => ({ tab: () => tab.returnToShop(), operator: () => refund() }),
);
testScenario("refund by the operator | cron", "pays", { user: "alice" }, ({ cron, refund }) => ({
	cron,
	operator: () => refund(),
}));
testScenario(
	"payment without an order | webhook | late place",
	"pays without an order",
	{ user: "alice", combinesFaults: true },
	({ tab, webhook }) => ({ webhook, tab: () => tab.tryToPlace() }),
);
testScenario(
	"payment without an order | cron | late place",
	"pays without an order",
	{ user: "alice", combinesFaults: true },
	({ tab, cron }) => ({ cron, tab: () => tab.tryToPlace() }),
);
testScenario(
	"refund recorded for a payment without an order | late place and return",
	"pays without an order",
	{ user: "alice", after: [refundByHand] },
	({ tab }) => ({
		async tab() {
			await tab.tryToPlace();
			await tab.returnToShop();
		},
	}),
);
testScenario("lost webhook | two crons", "pays", { alike: true }, ({ cron }) => ({
	"cron 1": cron,
	"cron 2": cron,
}));
testScenario(
	"lost webhook behind a payment that fails every time | cron",
	"pays",
	{ after: [(world) => openTab(world, "pays", { user: "alice" })] },
	({ world, tab, cron }) => {
		world.stripe.broken.add(tab.id);
		return { cron };
	},
);
testScenario("lost webhook while a cleanup fails every time | cron", "pays", { after: [failCleanup] }, ({ cron }) => ({
	cron,
}));
testScenario(
	"refund that failed at the bank | another refund by the operator | cron",
	"pays",
	{
		user: "alice",
		card: "pm_card_refundFail",
		after: [
			runCron,
			refundByHand,
			() => wait(5 * minute),
			(world) => deliverEvent(world, "refund.failed"),
			letRefundsSucceed,
		],
	},
	({ cron, refund }) => ({ cron, operator: () => refund() }),
);
testScenario(
	"a flood of placed orders and a lost webhook | cron",
	"pays",
	{ user: "alice", after: [addFloodOfOrders] },
	() => ({}),
);
testScenario(
	"keys of another account for an hour | cron | return",
	"pays",
	{ user: "alice", after: [(world) => changeSettings(world, { secretKey: otherKey }), cronsOfAnHour] },
	({ tab, cron, world }) => ({
		cron,
		operator: () => changeSettings(world, { secretKey: SECRET_KEY }),
		tab: () => tab.returnToShop(),
	}),
);
testScenario("webhook | keys of another account and back", "pays", {}, ({ webhook, world }) => ({
	webhook,
	async operator() {
		await changeSettings(world, { secretKey: otherKey });
		await changeSettings(world, { secretKey: SECRET_KEY });
	},
}));
testScenario(
	"another SHOP_ID since the order was placed | cron | return",
	"pays",
	{ user: "alice", after: [(world) => changeSettings(world, { shopId: "renamed" })] },
	({ tab, cron }) => ({ cron, tab: () => tab.returnToShop() }),
);
testScenario(
	"refund canceled by the operator | cron | webhook",
	"pays",
	{ user: "alice", card: "pm_card_pendingRefund", after: [runCron, refundByHand] },
	({ world, tab, cron }) => ({
		cron,
		async operator() {
			await world.stripe.cancelRefund(tab.id);
			await deliverEvent(world, "refund.updated");
		},
		webhook: () => deliverEvent(world, "charge.refunded"),
	}),
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
