import { expect, type Page } from "@playwright/test";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import type { Host } from "./host.ts";

/** Opens the host's page with a form that pays a new intent with a CardElement. The page's globals `result` and `events`
 *  are the result of the last payment and the events of the Element. Returns the intent. */
export async function openCardPage(page: Page, { stripe }: Host) {
	const intent = await stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
	await page.goto("/");
	await page.addScriptTag({ url: "/stripe-emulator/stripe.js" });
	const setUp = ({ key, secret }: { key: string; secret: string }) => {
		document.body.innerHTML = '<form><label for="card">Card</label><div id="card"></div><button>Pay</button></form>';
		const stripe = window.Stripe?.(key);
		if (!stripe) throw new Error("The page has no Stripe.js.");
		const card = stripe.elements().create("card", { hidePostalCode: true });
		const events: object[] = [];
		card.on("change", (event) => events.push(event));
		card.on("networkschange", (event) => events.push(event));
		card.on("escape", () => events.push({ escape: true }));
		card.mount("#card");
		const address = { line1: "6 Dozen Street", city: "London", country: "GB" };
		document.querySelector("form")?.addEventListener("submit", async (event) => {
			event.preventDefault();
			const payment_method = { card, billing_details: { name: "Ada Lovelace", address } };
			Object.assign(window, { result: await stripe.confirmCardPayment(secret, { payment_method }) });
		});
		Object.assign(window, { events });
	};
	await page.evaluate(setUp, { key: PUBLISHABLE_KEY, secret: intent.client_secret ?? "" });
	await expect(field(page, "cardnumber")).toBeVisible();
	return intent;
}

export function field(page: Page, name: "cardnumber" | "exp-date" | "cvc") {
	return page.frameLocator('#card iframe[title="Secure card payment input frame"]').locator(`input[name="${name}"]`);
}

export async function fillCard(page: Page, number: string, expiry = "12 / 34", cvc = "123"): Promise<void> {
	await field(page, "cardnumber").fill(number);
	await field(page, "exp-date").fill(expiry);
	await field(page, "cvc").fill(cvc);
}

/** Submits the form, by default with its button, and returns the result of Stripe.js. */
export async function resultOf(page: Page, submit = () => page.getByRole("button", { name: "Pay" }).click()) {
	await page.evaluate(() => Reflect.deleteProperty(window, "result"));
	await submit();
	return page.waitForFunction(() => Reflect.get(window, "result")).then((result) => result.jsonValue());
}

export const eventsOf = (page: Page): Promise<object[]> => page.evaluate(() => Reflect.get(window, "events"));
