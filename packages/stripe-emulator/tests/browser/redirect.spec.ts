import { authenticatedCard, expect, test } from "../support/browser.ts";
import { openSample, run } from "../support/sample-page.ts";

for (const [choice, status] of [
	["Complete", "succeeded"],
	["Fail", "failed"],
] as const) {
	test(`${choice} on the bank's page returns to the shop with redirect_status=${status}`, async ({ page, host }) => {
		const intent = await host.stripe.paymentIntents.create({
			...{ amount: 1499, currency: "usd", confirm: true, payment_method: "pm_card_authenticationRequired" },
			return_url: `${host.url.origin}/?order=7`,
		});
		await page.goto(intent.next_action?.redirect_to_url?.url ?? "");
		await expect(page.getByRole("heading", { name: "Confirm your payment" })).toBeVisible();
		await expect(page.getByText("$14.99")).toBeVisible();
		await expect(page.getByText(`Visa ending in ${authenticatedCard.slice(-4)}`)).toBeVisible();
		await page.getByRole("button", { name: `${choice} authentication` }).click();
		await expect(page).toHaveTitle("The host's page");
		expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
			order: "7",
			payment_intent: intent.id,
			payment_intent_client_secret: intent.client_secret,
			redirect_status: status,
		});
	});
}

test("handleNextAction follows the redirect of a payment that a server confirmed", async ({ page, host }) => {
	const intent = await host.stripe.paymentIntents.create({
		...{ amount: 1499, currency: "usd", confirm: true, payment_method: "pm_card_authenticationRequired" },
		return_url: `${host.url.origin}/?order=7`,
	});
	await openSample(page, host, "empty", intent.client_secret ?? "");
	await page.waitForFunction("window.Stripe");
	const settled: unknown[] = [];
	const left = run(page, "stripe.handleNextAction({ clientSecret: secret })").then(
		(result) => void settled.push(result),
		() => undefined,
	);
	await page.getByRole("button", { name: "Complete authentication" }).click();
	await expect(page).toHaveURL(/order=7&.*redirect_status=succeeded$/);
	await left;
	expect(settled).toEqual([]);
});
