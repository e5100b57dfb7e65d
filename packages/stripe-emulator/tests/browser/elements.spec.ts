import type { Page } from "@playwright/test";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import { expect, goodCard, test } from "../support/browser.ts";
import { elementFrame, openSample, run, typeCard, typePayment } from "../support/sample-page.ts";

const cardTitle = "Secure card payment input frame";

test.beforeEach(async ({ page, host }) => {
	const intent = await host.stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
	await openSample(page, host, "empty", intent.client_secret ?? "");
	await page.waitForFunction("window.Stripe");
});

/** Mounts an Element of a group with these options, and records its events. Returns a function that reads them. */
async function mount(page: Page, type: string, options = "{}", group = "{ clientSecret: secret }") {
	const made = await run(
		page,
		`(() => {
			elements = stripe.elements(${group});
			const element = elements.create("${type}", ${options});
			const events = [];
			for (const name of ["loaderstart", "ready", "focus", "change", "blur", "escape", "loaderror"])
				element.on(name, (event) => events.push([name, event]));
			element.mount(document.body.appendChild(document.createElement("div")));
			Object.assign(window, { elements, element, events });
			return typeof element;
		})()`,
	);
	expect(made).toBe("object");
	return () => page.evaluate((): [string, Record<string, unknown>][] => Reflect.get(window, "events"));
}

const languages = [
	["de", "Kartennummer", "Die Kartennummer ist unvollständig."],
	["es", "Número de tarjeta", "El número de tarjeta está incompleto."],
	["fr-CA", "Numéro de carte", "Le numéro de carte est incomplet."],
	["it", "Numero della carta", "Il numero della carta è incompleto."],
	["nl", "Kaartnummer", "Het kaartnummer is onvolledig."],
	["pt-BR", "Número do cartão", "O número do cartão está incompleto."],
	["ja", "カード番号", "カード番号に不備があります。"],
	["sv", "Card number", "Your card number is incomplete."],
] as const;

test("the locale sets the language of the fields and errors, and other locales are in English", async ({ page }) => {
	const submitted = await run(
		page,
		`Promise.all(${JSON.stringify(languages)}.map(([locale]) => {
			elements = Stripe("pk_test_x", { locale }).elements();
			add("card");
			return elements.submit();
		}))`,
	);
	expect(submitted).toEqual(
		languages.map(([, , message]) => ({ error: { type: "validation_error", code: "incomplete_number", message } })),
	);
	for (const [index, [, label, message]] of languages.entries()) {
		const number = page.frameLocator(`iframe >> nth=${index}`).locator("[name=cardnumber]");
		await expect(number).toHaveAttribute("placeholder", label);
		await expect(number).toHaveAccessibleDescription(message);
	}
	await mount(page, "payment", "{}", "{ clientSecret: secret, locale: 'de' }");
	await expect(elementFrame(page).getByLabel("Ablaufdatum")).toHaveAttribute("placeholder", "MM / JJ");
	await elementFrame(page).getByLabel("Land").selectOption("Österreich");
});

test.describe("in a French browser", () => {
	test.use({ locale: "fr-FR" });

	test("the automatic locale is the browser's, and the country is its region", async ({ page }) => {
		await mount(page, "payment");
		await expect(elementFrame(page).getByLabel("Numéro de carte")).toBeVisible();
		await expect(elementFrame(page).getByLabel("Pays")).toHaveValue("FR");
		await expect(elementFrame(page).getByLabel("Code postal")).toBeHidden();
	});
});

test("the Card Element has a postal code unless it is hidden", async ({ page }) => {
	const events = await mount(page, "card", "{ value: { postalCode: '941' } }", "{}");
	await typeCard(page, goodCard);
	const zip = elementFrame(page, cardTitle).getByLabel("ZIP");
	await expect
		.poll(async () => (await events()).at(-1)?.[1])
		.toMatchObject({
			complete: true,
			value: { postalCode: "94111" },
		});
	await zip.fill("941");
	await zip.blur();
	await expect(zip).toHaveAccessibleDescription("Your postal code is incomplete.");
	expect(await page.evaluate("elements.submit()")).toMatchObject({ error: { code: "incomplete_zip" } });
	await page.evaluate("element.update({ hidePostalCode: true })");
	await expect(zip).toBeHidden();
	expect(await page.evaluate("elements.submit()")).toEqual({});
	await page.evaluate("element.update({ hidePostalCode: false, value: { postalCode: '10115' } })");
	await expect(zip).toHaveValue("10115");
	await page.evaluate("element.clear()");
	await expect(zip).toHaveValue("");
});

test("Backspace and typing move between the card's fields and the postal code", async ({ page }) => {
	await mount(page, "card", "{}", "{}");
	await elementFrame(page, cardTitle).getByLabel("Credit or debit card number").focus();
	await page.keyboard.type(`${goodCard}1234123941`);
	const zip = elementFrame(page, cardTitle).getByLabel("ZIP");
	await expect(zip).toHaveValue("941");
	for (let pressed = 0; pressed < 4; pressed++) await page.keyboard.press("Backspace");
	await expect(elementFrame(page, cardTitle).getByLabel("Credit or debit card CVC/CVV")).toBeFocused();
});

test("the Payment Element emits its events and reports errors beside the fields", async ({ page }) => {
	const events = await mount(page, "payment");
	const frame = elementFrame(page);
	await expect.poll(async () => (await events()).map(([name]) => name)).toEqual(["loaderstart", "ready"]);
	await page.keyboard.press("Tab");
	const number = frame.getByLabel("Card number");
	await expect(number).toBeFocused();
	await number.fill("4242");
	await number.blur();
	await expect(number).toHaveAccessibleDescription("Your card number is incomplete.");
	await expect(number).toHaveAttribute("aria-invalid", "true");
	await expect(frame.getByText("Your card number is incomplete.")).toBeVisible();
	await typePayment(page, goodCard);
	await frame.getByLabel("ZIP code").press("Escape");
	await expect.poll(async () => (await events()).at(-1)?.[0]).toBe("escape");
	const change = { elementType: "payment", collapsed: false, value: { type: "card" } };
	expect((await events()).filter(([name]) => name === "change").map(([, event]) => event)).toEqual([
		{ ...change, complete: false, empty: false },
		{ ...change, complete: true, empty: false },
	]);
	expect(await page.evaluate("elements.submit()")).toEqual({ selectedPaymentMethod: "card" });
	expect(await page.evaluate("elements.fetchUpdates()")).toEqual({});
	expect(await page.evaluate("elements.getElement({ __elementType: 'payment' }) === element.collapse()")).toBe(true);
});

test("a Payment Element for an unknown or paid intent emits loaderror", async ({ page, host, expectRefusal }) => {
	expectRefusal("/stripe-emulator/v1/payment_intents/", 404);
	const events = await mount(page, "payment", "{}", "{ clientSecret: 'pi_1_secret_1' }");
	await expect
		.poll(async () => (await events()).at(-1))
		.toMatchObject(["loaderror", { error: { code: "resource_missing" } }]);
	const paid = await host.stripe.paymentIntents.create({
		amount: 1499,
		currency: "usd",
		confirm: true,
		payment_method: "pm_card_visa",
		return_url: page.url(),
	});
	const late = await mount(page, "payment", "{}", `{ clientSecret: "${paid.client_secret}" }`);
	const error = { code: "payment_intent_unexpected_state" };
	await expect.poll(async () => (await late()).at(-1)).toMatchObject(["loaderror", { error }]);
});

test("the country determines the postal code, and options set, exclude and lock fields", async ({ page, host }) => {
	const address = `address: { country: "CA", postal_code: "m5t 1t4" }`;
	await mount(page, "payment", `{ defaultValues: { billingDetails: { ${address} } } }`);
	const frame = elementFrame(page);
	await expect(frame.getByLabel("Postal code")).toHaveValue("m5t 1t4");
	await frame.getByLabel("Postal code").fill("94111");
	await frame.getByLabel("Postal code").blur();
	await expect(frame.getByText("Your postal code is incomplete.")).toBeVisible();
	await frame.getByLabel("Country").selectOption("Germany");
	await expect(frame.locator("[name=postalCode]")).toBeHidden();
	await page.evaluate("element.update({ readOnly: true })");
	await expect(frame.getByLabel("Country")).toBeDisabled();
	await expect(frame.getByLabel("Card number")).toHaveAttribute("readonly");

	await page.evaluate("element.update({ readOnly: false, fields: { billingDetails: { address: 'never' } } })");
	await expect(frame.getByLabel("Country")).toBeHidden();
	await frame.getByLabel("Card number").fill(goodCard);
	await frame.getByLabel("Expiration date").fill("12 / 34");
	await frame.getByLabel("Security code").fill("123");
	const confirm = (params: string) =>
		page.evaluate(
			`Stripe("${PUBLISHABLE_KEY}").confirmPayment({ elements, redirect: "if_required", confirmParams: ${params} }).catch(String)`,
		);
	expect(await confirm("{}")).toContain(
		"IntegrationError: The payment Element's option fields excludes address.country",
	);
	const billing = `{ address: { country: "AT", postal_code: "1010" } }`;
	const { paymentIntent } = Object(await confirm(`{ payment_method_data: { billing_details: ${billing} } }`));
	const { latest_charge } = await host.stripe.paymentIntents.retrieve(paymentIntent.id);
	const { billing_details } = await host.stripe.charges.retrieve(String(latest_charge));
	expect(billing_details.address).toMatchObject({ country: "AT", postal_code: "1010" });
});

test("the appearance sets themes, variables and rules, and unsafe rules are not applied", async ({
	page,
	expectWarning,
}) => {
	expectWarning("The Stripe emulator does not apply the appearance");
	const warnings: string[] = [];
	page.on("console", (message) => warnings.push(message.text()));
	const rules = `{
		".Input": { borderColor: "rgb(1, 2, 3)", backgroundImage: "url(/leak)" },
		".Label": { fontWeight: "700" },
		"input[value^='4']": { color: "red" },
	}`;
	const variables = `{ colorText: "rgb(4, 5, 6)", fontFamily: "url(/leak)", spacingUnit: "8px" }`;
	const appearance = `{ theme: "stripe", variables: ${variables}, rules: ${rules} }`;
	await mount(page, "payment", "{}", `{ clientSecret: secret, appearance: ${appearance} }`);
	const number = elementFrame(page).getByLabel("Card number");
	await expect(number).toHaveCSS("border-color", "rgb(1, 2, 3)");
	await expect(number).toHaveCSS("color", "rgb(4, 5, 6)");
	await expect(number).toHaveCSS("padding-left", "24px");
	await expect(elementFrame(page).getByText("Card number")).toHaveCSS("font-weight", "700");
	expect(warnings.map((text) => text.replace("The Stripe emulator does not apply the appearance ", ""))).toEqual([
		"variable fontFamily.",
		"property backgroundImage of .Input.",
		"rule input[value^='4'].",
	]);
	await page.evaluate("elements.update({ appearance: { theme: 'night' } })");
	await expect(number).toHaveCSS("color", "rgb(255, 255, 255)");
	await expect(number).toHaveCSS("background-color", "rgb(48, 49, 61)");
	await expect(number).toHaveCSS("font-family", /system-ui/);
});

test("the frame's height follows its content, and terms are shown for a later charge", async ({ page, host }) => {
	await mount(page, "payment", "{}", "{ mode: 'payment', amount: 1499, currency: 'usd' }");
	const iframe = page.locator("iframe");
	const frame = elementFrame(page);
	const overflow = () =>
		frame.locator("html").evaluate((html) => html.scrollHeight - document.documentElement.clientHeight);
	const height = () => iframe.evaluate((element) => element.clientHeight);
	await expect(frame.getByLabel("Card number")).toBeVisible();
	await expect.poll(overflow).toBe(0);
	const before = await height();
	await page.evaluate("elements.submit()");
	await expect.poll(height).toBeGreaterThan(before);
	await expect.poll(overflow).toBe(0);
	await expect(frame.getByText("may charge your card again")).toBeHidden();
	await page.evaluate("elements.update({ mode: 'setup' })");
	await expect(frame.getByText("may charge your card again")).toBeVisible();
	await expect.poll(overflow).toBe(0);

	await page.evaluate("element.destroy()");
	const customer = await host.stripe.customers.create();
	const saving = { amount: 1499, currency: "usd", customer: customer.id, setup_future_usage: "off_session" } as const;
	const { client_secret } = await host.stripe.paymentIntents.create(saving);
	await mount(page, "payment", "{}", `{ clientSecret: "${client_secret}" }`);
	await expect(frame.getByText("may charge your card again")).toBeVisible();
});

test("the Link Authentication and Address Elements report their values", async ({ page }) => {
	const events = await mount(page, "linkAuthentication", "{ defaultValues: { email: 'ada@example' } }");
	const email = elementFrame(page, "Secure email input frame").getByLabel("Email");
	await expect(email).toHaveValue("ada@example");
	await email.focus();
	await email.blur();
	await expect(email).toHaveAccessibleDescription("Your email address is invalid.");
	await email.fill("ada@example.com");
	await expect
		.poll(async () => (await events()).findLast(([name]) => name === "change")?.[1])
		.toEqual({
			elementType: "linkAuthentication",
			complete: true,
			empty: false,
			value: { email: "ada@example.com" },
		});

	await mount(page, "address", "{ mode: 'billing', allowedCountries: ['GB', 'US'], fields: { phone: 'always' } }");
	const frame = elementFrame(page, "Secure address input frame");
	await expect(frame.getByLabel("Country").locator("option")).toHaveText(["United Kingdom", "United States"]);
	await frame.getByLabel("Country").selectOption("GB");
	expect(await page.evaluate("elements.submit()")).toMatchObject({ error: { code: "incomplete_field" } });
	const typed = {
		"Full name": "Ada Lovelace",
		"Address line 1": "6 Dozen Street",
		City: "London",
		"Postal code": "N1 6XX",
		"Phone number": "+44 20 1234 5678",
	};
	for (const [label, value] of Object.entries(typed)) await frame.getByLabel(label).fill(value);
	expect(await page.evaluate("elements.submit()")).toEqual({});
	expect(await page.evaluate("element.getValue()")).toEqual({
		complete: true,
		isNewAddress: true,
		value: {
			name: "Ada Lovelace",
			phone: "+44 20 1234 5678",
			address: {
				line1: "6 Dozen Street",
				line2: null,
				city: "London",
				state: "",
				postal_code: "N1 6XX",
				country: "GB",
			},
		},
	});
});

test("wallets are unavailable: canMakePayment resolves to null, and Express Checkout is empty", async ({ page }) => {
	const request = "stripe.paymentRequest({ country: 'US', currency: 'usd', total: { label: 'Order', amount: 1499 } })";
	expect(await run(page, `${request}.canMakePayment()`)).toBeNull();
	const events = await mount(page, "expressCheckout", "{}", "{ mode: 'payment', amount: 1499, currency: 'usd' }");
	expect(await events()).toEqual([["ready", { elementType: "expressCheckout" }]]);
});
