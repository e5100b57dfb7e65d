import type { Page, Route } from "@playwright/test";
import { homeHeading, logo } from "#app/brand.ts";
import { interceptedAdvice } from "#app/tab/intercepted.ts";
import { unavailable } from "#app/ui/unavailable.ts";
import { expect, fetchResponse, hold, signInOverHttp, test } from "../support/browser.ts";
import { speaker } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { addToBasket, follow } from "../support/shopper.ts";
import { becomeVisible, expectNotReloaded, markDocument, readAlerts, tryAgain } from "../support/window.ts";

const email = "ada@example.com";
const password = "correct horse battery";

const refusal = "We can't reach the shop. Check your connection, then try again.";

const hang = async () => {};
/** The guard's refusal of a page under another host, such as that of a translating proxy. */
const foreign = "This request came from another site and was not processed.";
const error = { code: "cross_origin", message: foreign };
const contentType = "text/html";
const refuseForeign = (route: Route) => route.fulfill({ status: 403, json: { error } });
const returnHtml = (route: Route) => route.fulfill({ contentType, body: "<h1>Sign in to this network</h1>" });
const returnOutage = (route: Route) => route.fulfill({ status: 502, contentType, body: "<h1>Bad gateway</h1>" });

const button = (page: Page, name: string) => page.getByRole("button", { name });

async function fillIn(page: Page): Promise<void> {
	await page.getByLabel("Email").fill(email);
	await page.getByLabel("Password").fill(password);
}

async function expectKept(page: Page): Promise<void> {
	await expect(page.getByLabel("Email")).toHaveValue(email);
	await expect(page.getByLabel("Password")).toHaveValue(password);
	await expectNotReloaded(page);
}

test.beforeEach(({ expectWarning }) => {
	expectWarning("Failed to load resource", "403 ", "502 ", "503 ");
});

test("a failed Sign In or Create account request shows an error and keeps the form's input", async ({ page, shop }) => {
	const alerts = readAlerts(page);
	await page.goto("/");
	await addToBasket(page, speaker.title);
	await markDocument(page);
	await follow(page, "Sign In");
	await fillIn(page);

	async function expectFailure(send: string, message: string): Promise<void> {
		await expect(page.locator("#refusal")).toHaveText(message);
		await expect.poll(() => alerts.splice(0)).toEqual([message]);
		await expectKept(page);
		await expect(button(page, send)).toBeFocused();
	}

	await test.step("D1 fails", async () => {
		await shop.control({ control: "shop_fault", path: "/login", service: "d1", call: "every", fault: "before" });
		await button(page, "Create account").click();
		await expectFailure("Create account", "We couldn't sign you in. Please try again.");
		await shop.control({ control: "calm" });
	});
	await page.clock.install();
	for (const send of ["Create account", "Sign In"]) {
		await test.step(`${send}, pressed twice, sends one request, which hangs`, async () => {
			const sent: string[] = [];
			await page.route("**/login.data", async (route) => void sent.push(route.request().method()));
			await button(page, send).click();
			await expect.poll(() => sent).toEqual(["POST"]);
			// Playwright waits while a button is aria-disabled
			await button(page, send).click({ force: true });
			await page.clock.fastForward(10_000);
			await expectFailure(send, refusal);
			expect(sent).toEqual(["POST"]);
		});
	}
	for (const [send, respond, message] of [
		["Create account", refuseForeign, foreign],
		["Create account", returnOutage, unavailable],
		["Sign In", returnHtml, interceptedAdvice],
	] as const) {
		await test.step(`${send} fails`, async () => {
			await page.route("**/login.data", respond);
			await button(page, send).click();
			await expectFailure(send, message);
		});
	}
	await button(page, "Load this page").click();
	await expect(page.getByLabel("Email")).toHaveValue("");
	await follow(page, logo);
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
});

test("a failed Sign Out request shows an error and keeps the basket", async ({
	page,
	context,
	shop,
	expectWarning,
}) => {
	// the session may end before the page has connected to its feed
	expectWarning("WebSocket connection to ");
	await signInOverHttp(context, shop);
	await page.goto("/");
	await addToBasket(page, speaker.title);
	await markDocument(page);
	await follow(page, "Returns & Orders");
	await expect(page.getByRole("heading", { level: 1, name: "Your Orders" })).toBeVisible();
	const alert = page.getByRole("banner").getByRole("alert");

	async function signOut(respond: (route: Route) => Promise<void>): Promise<void> {
		await expect(alert).toHaveCount(0);
		await page.route("**/logout.data", respond);
		const sent = page.waitForRequest("**/logout.data");
		await button(page, "Sign Out").click();
		await sent;
		if (respond === hang) await page.clock.fastForward(10_000);
		await expect(alert).toHaveText(`We couldn't confirm that you're signed out. ${refusal}`);
		await expectNotReloaded(page);
	}

	await test.step("the request hangs", async () => {
		await page.clock.install();
		await signOut(hang);
		await expect(page).toHaveURL("/orders");
		await expect(page.getByRole("heading", { level: 1, name: "Your Orders" })).toBeVisible();
		await follow(page, "Home");
		await expect(page.getByRole("heading", { level: 1, name: homeHeading })).toBeVisible();
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	});
	await test.step("the response is lost, and the next refresh shows the header of a guest", async () => {
		await signOut(async (route) => {
			await fetchResponse(route);
			await route.abort();
		});
		await becomeVisible(page);
		await expect(page.getByText("Hello Guest")).toBeVisible();
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	});
	await test.step("the next attempt succeeds, and the page that fails to load afterwards shows no customer data", async () => {
		// not earlier: it would continue the request that hangs
		await page.unroute("**/logout.data");
		const { email: address } = await signInOverHttp(context, shop);
		await follow(page, "Returns & Orders");
		await expect(page.getByText("You haven't ordered anything yet.")).toBeVisible();
		await page.route("**/orders.data", (route) => route.abort());
		await button(page, "Sign Out").click();
		await expect(page.getByRole("heading", { level: 1, name: "We can't reach the shop" })).toBeVisible();
		await expect(page.getByText(/^Hello /)).toHaveCount(0);
		await expect(page.getByText(address)).toHaveCount(0);
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
		await page.unroute("**/orders.data");
		await tryAgain(page, page.getByText("What you bought as a guest in this browser moves to your account"));
		await expect(page.getByText("Hello Guest")).toBeVisible();
	});
});

test("a sign-out that overlaps a request ends on a guest page", async ({ page, context, shop, expectWarning }) => {
	// the session may end before the page has connected to its feed
	expectWarning("WebSocket connection to ");
	const { email: address } = await signInOverHttp(context, shop);
	await page.goto("/");
	await expect(page.getByText(`Hello ${address}`)).toBeVisible();
	const letNavigate = await hold(page, "**/orders.data*");
	await follow(page, "Returns & Orders");
	const letSignOut = await hold(page, "**/logout.data");
	await button(page, "Sign Out").click();
	letNavigate();
	await expect(page.getByText("You haven't ordered anything yet.")).toBeVisible();
	letSignOut();
	await expect(page.getByText("Hello Guest")).toBeVisible();
	await expect(page.getByText(address)).toHaveCount(0);
	await expect(page.getByText("What you bought as a guest in this browser moves to your account")).toBeVisible();
});

test("a rejected form keeps its input and focuses the field at fault", async ({ page, shop, expectWarning }) => {
	expectWarning("400 /login.data");
	const alerts = readAlerts(page);
	const customer = new Customer(shop);
	await customer.createAccount();
	const [emailField, passwordField] = [page.getByLabel("Email"), page.getByLabel("Password")];
	const rules = "New here? Choose a password with at least 8 characters that isn't a common one.";
	for (const [send, field, typed, refusal] of [
		["Create account", passwordField, [email, "password1"], "This password is too common. Choose another."],
		["Sign In", emailField, ["", ""], "Enter your email and password."],
		["Sign In", passwordField, [customer.email, "wrong horse"], "Email or password is incorrect."],
		[
			...["Create account", emailField, [customer.email, "wrong horse"]],
			"An account with this email already exists. Sign in instead.",
		],
		["Sign In", emailField, ["", password], "Enter your email."],
	] as const) {
		await test.step(`${send} with ${JSON.stringify(typed)}`, async () => {
			// the form's submission respells such a query
			if (send === "Create account") await page.goto("/login?ref");
			await expect(passwordField).toHaveAccessibleDescription(/^(?!New here)/);
			await expect(button(page, "Create account")).toHaveAccessibleDescription(rules);
			await emailField.fill(typed[0]);
			await passwordField.fill(typed[1]);
			await button(page, send).click();
			await expect.poll(() => alerts.at(-1)).toBe(refusal);
			await expect(page).toHaveURL(/\/login\?ref=$/);
			await expect(field).toBeFocused();
			await expect(field).toHaveAttribute("aria-invalid", "true");
			await expect(field).toHaveAccessibleDescription(refusal);
			await expect(page.locator("[aria-invalid]")).toHaveCount(1);
			await expect(page.locator("[aria-describedby~=refusal]")).toHaveCount(1);
			await expect(emailField).toHaveValue(typed[0]);
			await expect(passwordField).toHaveValue(typed[1]);
		});
	}
	await test.step("a refresh keeps the message", async () => {
		const refreshed = page.waitForResponse("**/login.data*");
		await becomeVisible(page);
		await refreshed;
		await expect(page.locator("main")).toHaveAttribute("aria-busy", "false");
		await expect(page.locator("#refusal")).toHaveText("Enter your email.");
		await expect(emailField).toHaveAttribute("aria-invalid", "true");
		await expect(passwordField).toHaveValue(password);
	});
	await test.step("Create account with the account's own password signs in", async () => {
		await emailField.fill(customer.email);
		await button(page, "Create account").click();
		await expect(page.getByText(`Hello ${customer.email}`)).toBeVisible();
	});
});

test("Enter and a form that a password manager submits sign in", async ({ page, shop, expectWarning }) => {
	expectWarning("400 /login");
	const customer = new Customer(shop);
	await customer.createAccount();
	const alerts = readAlerts(page);
	const submit = () => page.locator("main form").evaluate((form: HTMLFormElement) => form.submit());
	await page.goto("/login");
	await page.getByLabel("Email").fill(customer.email);
	await page.getByLabel("Password").fill(`${customer.password}!`);
	await page.getByLabel("Email").press("Enter");
	await expect.poll(() => alerts.splice(0)).toEqual(["Email or password is incorrect."]);
	await submit();
	await expect.poll(() => alerts.splice(0)).toEqual(["Email or password is incorrect."]);
	await page.getByLabel("Password").fill(customer.password);
	await submit();
	await expect(page.getByText(`Hello ${customer.email}`)).toBeVisible();
});
