import { expect, test } from "vitest";
import { failure, now, openShop, success, unpaid } from "../../tests/support/payments.ts";
import { resolveDuePayments } from "./resolve.server.ts";

test.each([
	["resolves", success({ ...unpaid, status: "canceled" })],
	["fails", failure(400, {})],
])("a payment that is marked again during an attempt that %s is due again", async (_, respond) => {
	const shop = openShop();
	const row = { payment_intent_id: "pi_1", created: now, attempts: 0, due_at: now, failure: null };
	shop.sqlite.insert("unresolved_payments", { ...row, attempts: 7 });
	shop.responses.retrieve = () => {
		shop.sqlite.exec(`update unresolved_payments set attempts = 0, due_at = ${now}`);
		return respond();
	};
	await resolveDuePayments(shop.payments, 1, now + 60, { left: 0 }, true);
	expect(shop.sqlite.all("select * from unresolved_payments")).toMatchObject([{ attempts: 0, due_at: now }]);
});
