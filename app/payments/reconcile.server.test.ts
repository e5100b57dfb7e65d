import { expect, test, vi } from "vitest";
import { openPrimary } from "#app/http/databases.server.ts";
import { d1On } from "../../tests/support/d1.ts";
import { openShop, succeeded, success } from "../../tests/support/payments.ts";
import { reconcile } from "./reconcile.server.ts";

test("a deletion to which D1 never responds delays no order", async () => {
	const { payments, sqlite, storeOrder, orders, responses } = openShop();
	storeOrder();
	responses.retrieve = success(succeeded);
	const d1 = d1On(async (call) => {
		const isDeletion = call.statements.some(({ sql }) => sql.startsWith("delete"));
		return isDeletion ? new Promise<never>(() => {}) : sqlite.perform(call);
	});
	void reconcile({ ...payments, primary: openPrimary(d1) });
	await vi.waitFor(() => expect(orders()).toMatchObject([{ status: "paid" }]));
});
