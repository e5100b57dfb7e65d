import type { Page } from "@playwright/test";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import { expect, test } from "../support/browser.ts";
import { openSplitCard, splitField } from "../support/split-card.ts";

/** Evaluates an expression in the page, with `stripe`, an empty `elements`, `add(type)` (creates and mounts an Element)
 *  and `secret` in scope. Returns the expression's result, or its error as a string. */
function run(page: Page, expression: string): Promise<unknown> {
	return page.evaluate(`(async () => {
		const stripe = Stripe("${PUBLISHABLE_KEY}");
		const elements = stripe.elements();
		const add = (type) => {
			const element = elements.create(type);
			element.mount(document.body.appendChild(document.createElement("div")));
			return element;
		};
		const secret = new URLSearchParams(location.search).get("client_secret");
		return (${expression});
	})().catch(String)`);
}

test.beforeEach(async ({ page, host }) => {
	await openSplitCard(page, host);
});

const mistakes = [
	["Stripe('sk_test_x')", "accepts only a publishable test key"],
	["elements.create('iban')", "The Stripe emulator supports card, cardNumber, cardExpiry, cardCvc, not iban."],
	["elements.create('card') && elements.create('card')", "Can only create one card Element at a time."],
	[
		"add('card') && add('cardNumber') && stripe.createToken(elements.getElement('card'))",
		"Mount either the card or the cardNumber Element, not both.",
	],
	["add('cardNumber') && stripe.createToken(elements.getElement('cardNumber'))", "needs a cardExpiry Element"],
	[
		"add('cardNumber') && add('cardExpiry') && stripe.createToken(elements.getElement('cardNumber'))",
		"needs a cardCvc Element",
	],
	["add('cardCvc') && stripe.createToken(elements.getElement('cardCvc'))", "must be the card or the cardNumber"],
	["stripe.createToken(elements.create('card'))", "The card Element is not mounted"],
	["stripe.createToken(add('card'), { name: 'Ada' })", "does not support name"],
	["stripe.createToken('pii')", "must be the card or the cardNumber"],
	["stripe.createPaymentMethod({ type: 'ideal' })", "payment methods of type card only"],
	[
		"stripe.createPaymentMethod({ type: 'card', card: add('card'), metadata: { a: 'b' } })",
		"does not support metadata",
	],
	["stripe.confirmCardPayment('pi_1')", "is not a client secret"],
	["stripe.confirmCardPayment(secret, { setup_future_usage: 'off_session' })", "does not support setup_future_usage"],
	["stripe.confirmCardPayment(secret, { save_payment_method: true })", "does not support save_payment_method"],
	["stripe.handleCardAction(secret)", "handleCardAction: The PaymentIntent supplied is not in the requires_action"],
	["elements.create('card').mount('#nowhere')", "The card Element cannot be mounted: #nowhere was not found."],
	["(add('card').destroy(), elements.create('card')) && add('card')", "Can only create one card Element"],
];

test("incorrect use throws an IntegrationError", async ({ page }) => {
	for (const [call = "", refusal] of mistakes) {
		const told = await run(page, call);
		expect(told, call).toMatch(/^IntegrationError: /);
		expect(told, call).toContain(refusal);
	}
});

test("getElement finds an Element by its type or its React component", async ({ page }) => {
	const found = `[elements.getElement("card"), elements.create("card") && elements.getElement("card") !== null,
		elements.getElement({ __elementType: "card" }) === elements.getElement("card"),
		elements.getElement("cardNumber"), elements.getElement("payment"), stripe.elements().getElement("card")]`;
	expect(await run(page, found)).toEqual([null, true, true, null, null, null]);
});

test("confirmCardPayment sends shipping, receipt email and an existing payment method", async ({ page, host }) => {
	const shipping = `{ name: "Ada", phone: "", address: { line1: "6 Dozen Street", city: "London", country: "GB" } }`;
	const data = `{ payment_method: "pm_card_visa", receipt_email: "ada@example.com", shipping: ${shipping} }`;
	const answer = await run(page, `stripe.confirmCardPayment(secret, ${data})`);
	expect(answer).toMatchObject({ paymentIntent: { status: "succeeded", receipt_email: "ada@example.com" } });
	const [, intent = ""] = /client_secret=(pi_\w+)_secret/.exec(page.url()) ?? [];
	expect(await host.stripe.paymentIntents.retrieve(intent)).toMatchObject({
		receipt_email: "ada@example.com",
		shipping: { name: "Ada", address: { line1: "6 Dozen Street", city: "London", country: "GB", line2: null } },
	});
});

test("elements.submit returns the first error, or an empty object if there are no Elements", async ({ page }) => {
	expect(await run(page, "add('cardNumber') && elements.submit()")).toMatchObject({
		error: { type: "validation_error", code: "incomplete_number" },
	});
	expect(await run(page, "elements.submit()")).toEqual({});
	expect(await run(page, "elements.update({}).then(() => elements.fetchUpdates())")).toEqual({});
});

test("listeners fire until removed, and `once` listeners fire once", async ({ page }) => {
	const heard = `(async () => {
		const heard = [];
		const element = elements.create("cardNumber");
		const deaf = () => heard.push("deaf");
		element.on("focus", deaf).once("focus", deaf).off("focus", deaf);
		element.once("focus", (event) => heard.push("once " + event.elementType));
		const box = document.body.appendChild(document.createElement("div"));
		for (const name of ["ready", "focus", "blur"]) element.on(name, () => heard.push(name));
		const next = (name) => new Promise((resolve) => element.once(name, resolve));
		const ready = next("ready");
		element.mount(box);
		await ready;
		for (let round = 0; round < 2; round++) {
			const focused = next("focus");
			element.focus();
			await focused;
			const blurred = next("blur");
			element.blur();
			await blurred;
		}
		element.destroy();
		element.off("focus");
		return [...heard, box.className, box.childElementCount];
	})()`;
	const rounds = ["once cardNumber", "focus", "blur", "focus", "blur"];
	expect(await run(page, heard)).toEqual(["ready", ...rounds, "", 0]);
});

test("clear empties a field, disabled disables it, and custom classes are applied", async ({ page }) => {
	await splitField(page, "cvc").fill("123");
	await run(
		page,
		`(() => {
			const element = elements.create("cardNumber", { classes: { base: "mine big", empty: "nothing", focus: "here" } });
			const box = document.body.appendChild(document.createElement("div"));
			box.id = "own";
			element.mount(box);
			Object.assign(window, { element });
		})()`,
	);
	const own = page.frameLocator("#own iframe").locator("input");
	await expect(page.locator("#own")).toHaveClass("mine big nothing");
	await own.fill("4242");
	await expect(page.locator("#own")).toHaveClass("mine big here");
	await page.evaluate(() => Reflect.get(window, "element").clear());
	await expect(own).toHaveValue("");
	await page.evaluate(() =>
		Reflect.get(window, "element").update({ disabled: true, placeholder: "Number", classes: {} }),
	);
	await expect(own).toBeDisabled();
	await expect(own).toHaveAttribute("placeholder", "Number");
	await expect(page.locator("#own")).toHaveClass(/^StripeElement StripeElement--empty/);
	await expect(splitField(page, "cvc")).toHaveValue("123");
});

test("moving a frame in the DOM, which reloads it, resets the field to empty", async ({ page }) => {
	await splitField(page, "cvc").fill("123");
	await expect(page.locator("#cvc.StripeElement--complete")).toHaveCount(1);
	await page.evaluate(() => document.body.appendChild(document.querySelector("#cvc") ?? document.body));
	await expect(page.locator("#cvc.StripeElement--empty")).toHaveCount(1);
	await expect(page.locator("#cvc.StripeElement--complete")).toHaveCount(0);
	await expect(splitField(page, "cvc")).toHaveAttribute("placeholder", "Code");
});

test("a frame that fails to load emits loaderror", async ({ page, expectRefusal }) => {
	expectRefusal("/stripe-emulator/card-frame", 500);
	await page.route("**/stripe-emulator/card-frame*", (route) => route.fulfill({ status: 500 }));
	await page.clock.install();
	const refused = page.waitForResponse("**/stripe-emulator/card-frame*");
	const error = run(page, "new Promise((resolve) => add('card').on('loaderror', resolve))");
	await refused;
	await page.clock.fastForward(10_000);
	expect(await error).toMatchObject({ elementType: "card", error: { type: "api_connection_error" } });
});
