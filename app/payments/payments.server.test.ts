import { expect, test } from "vitest";
import { now, openShop } from "../../tests/support/payments.ts";
import { openPayments } from "./payments.server.ts";
import { StripeNotConfigured } from "./stripe.server.ts";

test("openPayments returns the account, the database and the clock", () => {
	const { services, primary, payments } = openShop();
	expect(payments).toMatchObject({ account: services.stripe, primary });
	expect(payments.now()).toBe(now);
});

test("notifyFeed notifies the customer's feed, and does nothing for a guest", async () => {
	const { payments, notified } = openShop();
	for (const userId of ["ada", null]) await payments.notifyFeed(userId);
	expect(notified).toEqual(["ada"]);
});

test("openPayments throws if Stripe keys are missing", () => {
	const { services, primary } = openShop();
	const open = () => openPayments({ ...services, stripe: { missing: ["STRIPE_SECRET_KEY"] } }, primary);
	expect(open).toThrow(StripeNotConfigured);
});
