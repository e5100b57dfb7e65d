import { expect, test } from "vitest";
import { newPaymentIntent } from "./new-payment-intent.ts";
import { canceled, updatedMetadata, withDetails, withPaymentMethod } from "./payment-intent.ts";

const intent = newPaymentIntent({ amount: 1499, currency: "usd", allowedTypes: ["card"], automatic: null }, 0);

test.each(["requires_payment_method", "requires_confirmation", "requires_action"] as const)(
	"an intent in %s can be changed, paid and canceled",
	(status) => {
		const open = { ...intent, status };
		expect(withDetails(open, { amount: 999 })).toMatchObject({ amount: 999, status });
		expect(withPaymentMethod(open, "pm_1")).toMatchObject({ payment_method: "pm_1", status: "requires_confirmation" });
		const end = { canceled_at: 5, cancellation_reason: "abandoned", status: "canceled" };
		expect(canceled(open, "abandoned", 5)).toMatchObject(end);
	},
);

const payable = "requires_payment_method, requires_confirmation, requires_action";
const cancelable = "requires_payment_method, requires_capture, requires_confirmation, requires_action";

test.each([
	[
		"processing",
		`it has a status of processing. Only a PaymentIntent with one of the following statuses may be confirmed: ${payable}`,
	],
	["succeeded", "it has already succeeded after being previously confirmed"],
	[
		"canceled",
		`it has a status of canceled. Only a PaymentIntent with one of the following statuses may be confirmed: ${payable}`,
	],
] as const)("an intent in %s can be neither changed, paid nor canceled", (status, reason) => {
	const closed = { ...intent, status };
	const its = `because it has a status of ${status}`;
	for (const [change, message] of [
		[() => withPaymentMethod(closed, "pm_1"), `You cannot confirm this PaymentIntent because ${reason}.`],
		[
			() => withDetails(closed, { amount: 999 }),
			`This PaymentIntent's amount could not be updated ${its}. You may only update the amount of a PaymentIntent with one of the following statuses: ${payable}.`,
		],
		[
			() => canceled(closed, null, 5),
			`You cannot cancel this PaymentIntent ${its}. Only a PaymentIntent with one of the following statuses may be canceled: ${cancelable}.`,
		],
	] as const) {
		const code = "payment_intent_unexpected_state";
		const body = expect.objectContaining({ type: "invalid_request_error", code, message, payment_intent: closed });
		expect(change).toThrow(expect.objectContaining({ status: 400, body }));
	}
});

test("withDetails refuses any change of a canceled intent", () => {
	const message = "This PaymentIntent could not be updated because it has a status of canceled.";
	expect(() => withDetails({ ...intent, status: "canceled" }, { description: "x" })).toThrow(message);
});

test("withDetails refuses an amount below the minimum of the intent's currency", () => {
	expect(() => withDetails(intent, { amount: 49 })).toThrow(/at least \$0\.50/);
	expect(() => withDetails(intent, { currency: "huf" })).toThrow(/at least HUF/);
	expect(withDetails(intent, { amount: 30, currency: "gbp" })).toMatchObject({ amount: 30, currency: "gbp" });
});

test("an update keeps the details that it does not contain, and unsets those that are null", () => {
	const described = { ...intent, description: "Six things", receipt_email: "ada@example.com" };
	const updated = withDetails(described, { amount: 2000, receiptEmail: null });
	expect(updated).toMatchObject({ amount: 2000, description: "Six things", receipt_email: null });
});

test("an update merges metadata of up to 50 keys in total, and an empty value removes its key", () => {
	const current = { shop: "half-dozen", owner: "guest" };
	expect(updatedMetadata(new Map([["owner", ""]]), current)).toEqual({ shop: "half-dozen" });
	expect(updatedMetadata(undefined, current)).toEqual(current);
	expect(updatedMetadata(null, current)).toEqual({});
	const keys = new Map(Array.from({ length: 49 }, (_, index) => [`key_${index}`, "x"]));
	expect(() => updatedMetadata(keys, current)).toThrow("Metadata can have up to 50 keys.");
	expect(Object.keys(updatedMetadata(new Map([...keys, ["owner", ""]]), current))).toHaveLength(50);
});
