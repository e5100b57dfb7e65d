import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser.ts";

const emulator = "/stripe-emulator/";
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const setNow = (page: Page) => page.getByRole("region", { name: "Set now" });
const entries = (page: Page) => page.getByRole("region", { name: "Activity", exact: true }).getByRole("listitem");
const pane = (page: Page) => page.locator("#pane");
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test("an event can be opened, discarded, tampered with and sent again", async ({ page, host }) => {
	await page.goto(emulator);
	await press(page, "Hold webhooks");
	await expect(setNow(page)).toContainText("held");
	const { id } = await host.stripe.paymentIntents.create({ amount: 500, currency: "usd" });
	await entries(page).filter({ hasText: id }).getByRole("link", { name: "payment_intent.created" }).click();
	await expect(page).toHaveURL(/\?open=evt_\w+$/);
	await expect(pane(page).getByRole("heading", { level: 2 })).toBeFocused();
	await press(page, "Discard");
	await expect(pane(page)).toContainText("dropped");
	await expect(page.getByRole("button", { name: "Discard" })).toBeDisabled();
	await press(page, "Send tampered");
	await expect(pane(page)).toContainText("response 400");
	await press(page, "Send again");
	await expect(pane(page)).toContainText("response 200");
	await page.getByText("Attempt 2").click();
	await expect(pane(page)).toContainText("stripe-signature");
	await page.goBack();
	await expect(page.getByRole("heading", { name: "Controls" })).toBeVisible();
});

test("live updates keep focus, open details, typed text and the scroll position", async ({ page, host }) => {
	await page.setViewportSize({ width: 1280, height: 600 });
	const { id } = await host.stripe.paymentIntents.create({
		...{ amount: 500, currency: "usd", payment_method: "pm_card_visa", confirm: true },
		automatic_payment_methods: { enabled: true, allow_redirects: "never" },
	});
	const [{ id: event = "" } = {}] = (await host.stripe.events.list({ type: "payment_intent.succeeded" })).data;
	await page.goto(`${emulator}?open=${event}`);
	await page.getByText("Attempt 1").click();
	await expect(pane(page).getByText("stripe-signature")).toBeVisible();
	const again = page.getByRole("button", { name: "Send again" });
	await again.focus();
	await again.press("Enter");
	await expect(page.getByRole("status")).toHaveText("Done: Send again");
	await expect(page.getByText("Attempt 2")).toBeVisible();
	await expect(again).toBeFocused();
	await expect(pane(page).getByText("stripe-signature").last()).toBeVisible();

	await page.goto(`${emulator}?open=${id}`);
	const amount = page.getByRole("spinbutton", { name: "Amount" });
	await amount.fill("200");
	await page.evaluate(() => scrollTo(0, 150));
	const other = await host.stripe.paymentIntents.create({ amount: 600, currency: "usd" });
	await expect(entries(page).filter({ hasText: other.id }).first()).toBeAttached();
	await expect(amount).toHaveValue("200");
	await expect(amount).toBeFocused();
	expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
	await amount.press("Enter");
	await expect(page.getByRole("status")).toHaveText("Done: Refund");
	await expect(
		entries(page)
			.filter({ hasText: /^Refund/ })
			.first(),
	).toContainText("$2.00");
	await expect(page.getByRole("region", { name: "Related activity" })).toContainText("$2.00");
});

test("ids, card numbers and curl commands can be copied", async ({ page, host, context }) => {
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	const { id, lastResponse } = await host.stripe.paymentIntents.create({ amount: 500, currency: "usd" });
	const copied = () => page.evaluate(() => navigator.clipboard.readText());
	await page.goto(`${emulator}?open=${id}`);
	await press(page, `Copy ${id}`);
	await expect(page.getByRole("status")).toHaveText(`Copied: ${id}`);
	expect(await copied()).toBe(id);
	await page.goto(`${emulator}?open=${lastResponse.requestId}`);
	await press(page, "Copy the request as a curl command");
	await expect(page.getByRole("status")).toContainText("Copied: curl");
	expect(await copied()).toContain("--data-urlencode amount=500");
	await page.getByRole("link", { name: "Test cards" }).click();
	await page.getByRole("searchbox", { name: "Search test cards" }).fill("insufficient 9995");
	await expect(page.getByText("4242 4242 4242 4242")).toHaveCount(0);
	await press(page, "Copy 4000 0000 0000 9995");
	expect(await copied()).toBe("4000000000009995");
});

test("typing searches the timeline, and an id links to what concerns it", async ({ page, host }) => {
	const { id } = await host.stripe.paymentIntents.create({ amount: 777, currency: "usd" });
	await host.stripe.paymentIntents.create({ amount: 888, currency: "usd" });
	await page.goto(emulator);
	const search = page.getByRole("searchbox", { name: "Search" });
	await search.fill("$7.77");
	await expect(page).toHaveURL(`${emulator}?q=%247.77`);
	await expect(entries(page).filter({ hasText: "8.88" })).toHaveCount(0);
	await expect(search).toBeFocused();
	await entries(page).getByRole("link", { name: id, exact: true }).first().click();
	await expect(search).toHaveValue(id);
	await page.getByRole("combobox", { name: "Kind" }).selectOption("Requests");
	await expect(page).toHaveURL(`${emulator}?q=${id}&kind=request`);
	await expect(entries(page)).toHaveCount(1);
	await expect(entries(page)).toContainText("POST /v1/payment_intents");
});

test("the page fits 390 px, and 1280 px with text at 200 %", async ({ page, host }) => {
	const { id, lastResponse } = await host.stripe.paymentIntents.create({ amount: 500, currency: "usd" });
	for (const query of ["", `?open=${id}`, `?open=${lastResponse.requestId}`, "?open=cards", "?open=controls"]) {
		await page.setViewportSize({ width: 390, height: 844 });
		await page.goto(`${emulator}${query}`);
		expect([query, await overflow(page)]).toEqual([query, 0]);
		expect(await page.locator("#activity").isVisible()).toBe(query === "");
		await page.setViewportSize({ width: 1280, height: 800 });
		await page.evaluate(() => {
			document.documentElement.style.fontSize = "200%";
		});
		expect([query, await overflow(page)]).toEqual([query, 0]);
	}
});

test("reset asks for confirmation", async ({ page, host }) => {
	await host.stripe.paymentIntents.create({ amount: 500, currency: "usd" });
	await page.goto(emulator);
	await press(page, "Reset…");
	await page.keyboard.press("Escape");
	await expect(page.getByRole("dialog")).toBeHidden();
	await press(page, "Reset…");
	await page
		.getByRole("dialog", { name: "Delete everything?" })
		.getByRole("button", { name: "Delete everything" })
		.click();
	await expect(page.getByRole("status")).toHaveText("Done: Delete everything");
	await expect(entries(page)).toHaveCount(0);
	await expect(page.getByRole("region", { name: "Activity" })).toContainText("Nothing yet.");
});

test("a rejected control shows the reason", async ({ page, expectRefusal }) => {
	expectRefusal("/stripe-emulator/controls", 400);
	await page.goto(emulator);
	await page.getByText("Latency", { exact: true }).last().click();
	const milliseconds = page.getByRole("spinbutton", { name: "Milliseconds, 0 for none" });
	await milliseconds.evaluate((input) => input.removeAttribute("max"));
	await milliseconds.fill("60001");
	await press(page, "Set latency");
	await expect(page.getByRole("status")).toContainText(/^Set latency: 400: .*expected number to be <=60000/s);
});

test("an unavailable emulator is reported and polled until it recovers", async ({ page, expectRefusal }) => {
	expectRefusal(emulator, 503);
	await page.goto(emulator);
	await page.route("**/stripe-emulator/", (route) => route.fulfill({ status: 503, body: "Restarting" }));
	await expect(page.getByRole("status")).toContainText("Restarting");
	await page.unroute("**/stripe-emulator/");
	await expect(page.getByRole("status")).toHaveText("");
});

test.describe("without JavaScript", () => {
	test.use({ javaScriptEnabled: false });

	test("forms change the settings, and the search, filters and links work", async ({ page, host }) => {
		await page.goto(`${emulator}?open=controls`);
		await press(page, "Drop webhooks");
		await expect(page).toHaveURL(`${emulator}?open=controls`);
		await expect(setNow(page)).toContainText("dropped");
		const { id } = await host.stripe.paymentIntents.create({ amount: 500, currency: "usd" });
		await page.getByRole("link", { name: "Refresh" }).click();
		await page.getByRole("searchbox", { name: "Search" }).fill(id);
		await page.getByRole("combobox", { name: "Kind" }).selectOption("Events");
		await press(page, "Search");
		await expect(entries(page)).toHaveCount(1);
		await expect(entries(page)).toContainText("dropped");
		await entries(page).getByRole("link", { name: "payment_intent.created" }).click();
		await expect(pane(page)).toContainText(`"id": "${id}"`);
		await expect(page.getByRole("button", { name: /Copy/ })).toHaveCount(0);
		await page.getByRole("link", { name: "Controls" }).click();
		await press(page, "Calm: no more faults");
		await expect(setNow(page)).toContainText("Calm: everything works as at Stripe.");
	});
});
