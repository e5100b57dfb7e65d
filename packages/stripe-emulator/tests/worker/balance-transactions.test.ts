import { afterAll, beforeAll, expect, test } from "vitest";
import { control, refusal, stripe } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "hold" }));
afterAll(() => control({ control: "calm" }));

const pay = (capture_method: "automatic" | "automatic_async", payment_method = "pm_card_visa") =>
	stripe.paymentIntents.create({
		...{ amount: 1000, currency: "eur", description: "Six things", capture_method, payment_method, confirm: true },
		allowed_payment_method_types: ["card"],
		expand: ["latest_charge.balance_transaction"],
	});

test.each(["automatic", "automatic_async"] as const)(
	"a payment captured with %s has a balance transaction that subtracts 2.9 %% and 30 cents",
	async (method) => {
		const { latest_charge } = await pay(method);
		if (typeof latest_charge !== "object") throw new Error("latest_charge is not expanded");
		const transaction = latest_charge?.balance_transaction;
		if (typeof transaction !== "object") throw new Error("balance_transaction is not expanded");
		expect(transaction).toMatchObject({
			object: "balance_transaction",
			...{ amount: 1000, currency: "eur", description: "Six things", fee: 59, net: 941, status: "pending" },
			...{ reporting_category: "charge", source: latest_charge?.id, type: "charge" },
			fee_details: [{ amount: 59, currency: "eur", type: "stripe_fee" }],
		});
		expect(await stripe.balanceTransactions.retrieve(transaction?.id ?? "")).toEqual(transaction);
		const [event] = (await stripe.events.list({ type: "charge.succeeded", limit: 1 })).data;
		const isSet = { automatic: true, automatic_async: false }[method];
		expect(event?.data.object).toMatchObject({ balance_transaction: isSet ? transaction?.id : null });
	},
);

test("a refund and its failure move money out of and back into the balance", async () => {
	const { id } = await pay("automatic", "pm_card_refundFail");
	const refund = await stripe.refunds.create({ payment_intent: id, amount: 400 });
	await control({ control: "clock", advance: 61 });
	const failed = await stripe.refunds.retrieve(refund.id, {
		expand: ["balance_transaction", "failure_balance_transaction"],
	});
	const own = { currency: "eur", fee: 0, fee_details: [], source: refund.id };
	expect(failed).toMatchObject({
		balance_transaction: { ...own, amount: -400, net: -400, type: "refund" },
		failure_balance_transaction: { ...own, amount: 400, net: 400, type: "refund_failure" },
	});
	const listed = await stripe.balanceTransactions.list({ source: refund.id, type: "refund", expand: ["data.source"] });
	expect(listed.data).toMatchObject([{ amount: -400, source: { id: refund.id, object: "refund" } }]);
});

test("a transaction's money is available after two days", async () => {
	const { latest_charge } = await pay("automatic");
	const source = typeof latest_charge === "object" ? (latest_charge?.id ?? "") : "";
	const transactions = async () => (await stripe.balanceTransactions.list({ source, currency: "eur" })).data;
	expect(await transactions()).toMatchObject([{ status: "pending", net: 941 }]);
	const before = await stripe.balance.retrieve();
	expect(before.available).toMatchObject([{ amount: 0, currency: "usd" }]);
	await control({ control: "clock", advance: 2 * 86_400 });
	expect(await transactions()).toMatchObject([{ status: "available" }]);
	const after = await stripe.balance.retrieve();
	expect(after.available).toContainEqual(before.pending.find(({ currency }) => currency === "eur"));
});

test.each(["pm_card_bypassPending", "pm_card_bypassPendingInternational"])(
	"the money of a payment with %s is available immediately",
	async (payment_method) => {
		const { latest_charge } = await pay("automatic", payment_method);
		expect(latest_charge).toMatchObject({ balance_transaction: { status: "available" } });
	},
);

test("an unknown balance transaction returns 404", async () => {
	expect(await refusal(stripe.balanceTransactions.retrieve("txn_unknown"))).toMatchObject({
		statusCode: 404,
		message: "No such balance transaction: 'txn_unknown'",
	});
});
