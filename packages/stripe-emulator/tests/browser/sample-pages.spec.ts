import type { Page } from "@playwright/test";
import { authenticate, authenticatedCard, bank, declinedCard, expect, goodCard, test } from "../support/browser.ts";
import type { Host } from "../support/host.ts";
import { elementFrame, openSample, pay, resultOf, typeCard, typePayment } from "../support/sample-page.ts";

const authenticatedUnlessSetUp = "4000002500003155";

async function typeWithEmail(page: Page, number: string): Promise<void> {
	await elementFrame(page, "Secure email input frame").getByLabel("Email").fill("jenny@example.com");
	await typePayment(page, number);
}

/** Stripe's public sample pages, written with the same calls. */

const samples = [
	{ name: "html card", type: typeCard, result: "intent" },
	{ name: "html payment", type: typePayment, result: "redirect" },
	{ name: "react card", type: typeCard, result: "method" },
	{ name: "react card detailed", type: typeCard, result: "method" },
	{ name: "react payment", type: typePayment, result: "intent" },
	{ name: "react payment with link", type: typeWithEmail, result: "redirect" },
	{ name: "react deferred", type: typePayment, result: "intent" },
	{ name: "react payment method", type: typePayment, result: "method" },
] as const;

async function openNew(page: Page, host: Host, name: string, options = {}) {
	const intent = await host.stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
	await openSample(page, host, name, intent.client_secret ?? "", options);
	return intent;
}

for (const { name, type, result } of samples) {
	test(`${name}: a card pays, a declined card shows its message, and 3-D Secure completes or fails`, async ({
		page,
		host,
		expectRefusal,
	}) => {
		const { id } = await openNew(page, host, name);
		await type(page, "4242");
		expect(await pay(page)).toMatchObject({ error: { type: "validation_error", code: "incomplete_number" } });
		if (result !== "method") {
			expectRefusal(`/stripe-emulator/v1/payment_intents/${id}/confirm`, 402);
			await type(page, declinedCard);
			expect(await pay(page)).toMatchObject({
				error: { type: "card_error", code: "card_declined", message: "Your card was declined." },
			});
			await type(page, authenticatedCard);
			await page.getByRole("button", { name: "Pay" }).click();
			await authenticate(page, "Fail");
			expect(await resultOf(page)).toMatchObject({ error: { code: "payment_intent_authentication_failure" } });
		}
		await type(page, result === "method" ? goodCard : authenticatedCard);
		await page.getByRole("button", { name: "Pay" }).click();
		if (result === "method") {
			const { paymentMethod } = await resultOf(page);
			expect(paymentMethod).toMatchObject({
				billing_details: { name: "Jenny Rosen", address: { postal_code: "94111" } },
			});
			await host.stripe.paymentIntents.confirm(id, { payment_method: paymentMethod.id, return_url: page.url() });
		} else {
			await authenticate(page, "Complete");
			if (result === "redirect") {
				await expect(page).toHaveURL(
					new RegExp(
						`page=return&payment_intent=${id}&payment_intent_client_secret=${id}_secret_\\w+&redirect_status=`,
					),
				);
				expect(await resultOf(page)).toMatchObject({ redirect_status: "succeeded" });
			}
			expect(await resultOf(page)).toMatchObject({ paymentIntent: { id, status: "succeeded" } });
		}
		const { latest_charge } = await host.stripe.paymentIntents.retrieve(id);
		const { billing_details } = await host.stripe.charges.retrieve(String(latest_charge));
		expect(billing_details.address?.postal_code).toBe("94111");
		expect(billing_details.email).toBe(type === typeWithEmail ? "jenny@example.com" : (billing_details.email ?? null));
	});
}

test("react address: the shipping address is sent with the payment", async ({ page, host }) => {
	const { id } = await openNew(page, host, "react address");
	const frame = elementFrame(page, "Secure address input frame");
	for (const [label, value] of Object.entries({
		"Full name": "Jenny Rosen",
		"Address line 1": "510 Townsend Street",
		City: "San Francisco",
		State: "CA",
		"ZIP code": "94103",
	})) {
		await frame.getByLabel(label).fill(value);
	}
	await typePayment(page, goodCard);
	expect(await pay(page)).toMatchObject({ paymentIntent: { id, status: "succeeded" } });
	expect((await host.stripe.paymentIntents.retrieve(id)).shipping).toMatchObject({
		name: "Jenny Rosen",
		address: { line1: "510 Townsend Street", city: "San Francisco", state: "CA", postal_code: "94103", country: "US" },
	});
});

for (const { name, type } of [
	{ name: "html card setup", type: typeCard },
	{ name: "react setup", type: typePayment },
]) {
	test(`${name}: a card is set up after 3-D Secure, and charged later`, async ({ page, host, expectRefusal }) => {
		const customer = await host.stripe.customers.create();
		const setup = await host.stripe.setupIntents.create({ customer: customer.id });
		await openSample(page, host, name, setup.client_secret ?? "");
		expectRefusal(`/stripe-emulator/v1/setup_intents/${setup.id}/confirm`, 402);
		await type(page, declinedCard);
		expect(await pay(page)).toMatchObject({ error: { type: "card_error", code: "card_declined" } });
		await type(page, authenticatedUnlessSetUp);
		await page.getByRole("button", { name: "Pay" }).click();
		await expect(bank(page).getByRole("heading", { name: "Save this card" })).toBeFocused();
		await authenticate(page, "Fail");
		expect(await resultOf(page)).toMatchObject({
			error: { code: "setup_intent_authentication_failure", setup_intent: { status: "requires_payment_method" } },
		});
		await type(page, authenticatedUnlessSetUp);
		await page.getByRole("button", { name: "Pay" }).click();
		await authenticate(page, "Complete");
		if (name === "react setup") {
			await expect(page).toHaveURL(new RegExp(`page=return&setup_intent=${setup.id}&.*redirect_status=succeeded`));
		}
		const { setupIntent } = await resultOf(page);
		expect(setupIntent).toMatchObject({ id: setup.id, status: "succeeded" });
		const { status } = await host.stripe.paymentIntents.create({
			amount: 1499,
			currency: "usd",
			customer: customer.id,
			payment_method: setupIntent.payment_method,
			return_url: page.url(),
			off_session: true,
			confirm: true,
		});
		expect(status).toBe("succeeded");
	});
}
