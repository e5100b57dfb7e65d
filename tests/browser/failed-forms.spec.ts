import type { Page, Route } from "@playwright/test";
import {
	addToBasket,
	becomeVisible,
	expect,
	expectNotReloaded,
	follow,
	hold,
	markDocument,
	readAlerts,
	signInOverHttp,
	test,
	tryAgain,
} from "../support/browser.ts";
import { homeHeading } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";

// A failed sign-in, registration or sign-out shows an error beside its form and keeps the page, the basket and the
// input.

const email = "ada@example.com";
const password = "correct horse battery";

const refusal = "We can't reach the shop. Check your connection, then try again.";

/** How a form's request fails. */
const failures: Record<string, (route: Route) => Promise<void>> = {
	"is aborted": (route) => route.abort(),
	"returns a proxy's HTML": (route) =>
		route.fulfill({ contentType: "text/html", body: "<h1>Sign in to this network</h1>" }),
	hangs: async () => {},
};

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
	for (const complaint of ["Failed to load resource", "500 ", "503 "]) expectWarning(complaint);
});

test("a failed Sign In or Create account request causes an alert and a message in the form, which keeps its input", async ({
	page,
}) => {
	const alerts = readAlerts(page);
	await page.goto("/");
	await addToBasket(page, "Smart speaker");
	await markDocument(page);
	for (const [name, respond] of Object.entries(failures)) {
		for (const send of ["Sign In", "Create account"]) {
			await test.step(`${send} ${name}`, async () => {
				alerts.length = 0;
				await follow(page, "Sign In");
				await fillIn(page);
				if (name === "hangs") await page.clock.install();
				// replaces the route of the previous step; removing that route would continue its hanging request
				await page.route("**/login.data", (route, request) =>
					request.method() === "POST" ? respond(route) : route.continue(),
				);
				const sent = page.waitForRequest((request) => request.method() === "POST");
				await button(page, send).click();
				await sent;
				if (name === "hangs") await page.clock.fastForward(10_000);
				await expect(page.locator("#refusal")).toHaveText(refusal);
				await expect.poll(() => alerts).toEqual([refusal]);
				await expectKept(page);
				await expect(button(page, send)).toBeFocused();
				await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
				await follow(page, "half dozen");
				await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
			});
		}
	}
});

test("the sign-in page shows an error and keeps the email and the password when D1 fails", async ({ page, shop }) => {
	const alerts = readAlerts(page);
	await page.goto("/login");
	await fillIn(page);
	for (const send of ["Sign In", "Create account"]) {
		await shop.control({ control: "shop_fault", path: "/login", service: "d1", call: "every", fault: "before" });
		alerts.length = 0;
		await button(page, send).click();
		await expect.poll(() => alerts).toEqual(["We couldn't sign you in. Please try again."]);
		await expect(page.locator("#refusal")).toHaveText("We couldn't sign you in. Please try again.");
		await expect(page.getByLabel("Email")).toHaveValue(email);
		await expect(page.getByLabel("Password")).toHaveValue(password);
	}
});

test("a failed Sign Out request shows an error beside its button and keeps the page and the basket", async ({
	page,
	context,
	shop,
}) => {
	await signInOverHttp(context, shop);
	await page.goto("/");
	await addToBasket(page, "Smart speaker");
	await markDocument(page);
	for (const [name, respond] of Object.entries(failures)) {
		await test.step(name, async () => {
			// navigation removes the error message of a failed sign-out
			await follow(page, "Home");
			await expect(page.getByRole("heading", { level: 1, name: homeHeading })).toBeVisible();
			await follow(page, "Returns & Orders");
			await expect(page.getByRole("heading", { level: 1, name: "Your Orders" })).toBeVisible();
			const said = page.getByRole("banner").getByRole("alert");
			await expect(said).toHaveCount(0);
			if (name === "hangs") await page.clock.install();
			await page.route("**/logout.data", respond);
			const sent = page.waitForRequest("**/logout.data");
			await button(page, "Sign Out").click();
			await sent;
			if (name === "hangs") await page.clock.fastForward(10_000);
			await expect(said).toHaveText(`We couldn't confirm that you're signed out. ${refusal}`);
			await expect(page).toHaveURL("/orders");
			await expect(page.getByRole("heading", { level: 1, name: "Your Orders" })).toBeVisible();
			await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
			await expectNotReloaded(page);
			await page.unroute("**/logout.data");
			await button(page, "Sign Out").click();
			await expect(page.getByText("Hello Guest")).toBeVisible();
			await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
			await signInOverHttp(context, shop);
			await becomeVisible(page);
			await expect(page.getByText("Hello Guest")).toHaveCount(0);
		});
	}
});

test("a page that fails to load after sign-out shows no customer data and no greeting", async ({
	page,
	context,
	shop,
}) => {
	const address = await signInOverHttp(context, shop);
	await page.goto("/");
	await addToBasket(page, "Smart speaker");
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
	await expect(page.getByText("What you bought as a guest in this browser moves to your account")).toBeVisible();
	await expect(page.getByText("Hello Guest")).toBeVisible();
});

test("a sign-out that overlaps another request ends on a guest page", async ({
	page,
	context,
	shop,
	expectWarning,
}) => {
	// the session may end before the page has connected to its feed
	expectWarning("WebSocket connection to ");
	const address = await signInOverHttp(context, shop);
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

test("after a sign-out whose response is lost, the next refresh shows the header of a guest", async ({
	page,
	context,
	shop,
}) => {
	await signInOverHttp(context, shop);
	await page.goto("/");
	await page.route("**/logout.data", async (route) => {
		await route.fetch();
		await route.abort();
	});
	await button(page, "Sign Out").click();
	await expect(page.getByText("We couldn't confirm that you're signed out.")).toBeVisible();
	await becomeVisible(page);
	await expect(page.getByText("Hello Guest")).toBeVisible();
});

const rules = "A new password needs at least 8 characters and can't be a common one.";

test("a rejected form focuses the field at fault, which the message describes, and keeps both, also after a refresh", async ({
	page,
	shop,
	expectRefusal,
}) => {
	expectRefusal("/login.data", 400);
	const alerts = readAlerts(page);
	const customer = new Customer(shop);
	await customer.createAccount();
	await page.goto("/login");
	await expect(page.getByText(rules)).toBeVisible();
	await expect(page.getByLabel("Password")).toHaveAccessibleName("Password");
	await expect(page.getByLabel("Password")).toHaveAccessibleDescription(rules);
	await expect(page.locator("form [required], form [pattern], form [minlength]")).toHaveCount(0);
	for (const [send, field, typed, refusal] of [
		["Sign In", "Email", ["", ""], "Enter your email and password."],
		["Sign In", "Email", ["abc", password], "Enter a valid email address."],
		["Sign In", "Password", [email, ""], "Enter your password."],
		["Sign In", "Password", ["nobody@example.com", password], "Email or password is incorrect."],
		["Sign In", "Password", [customer.email, "wrong horse"], "Email or password is incorrect."],
		["Create account", "Password", [email, "kq7!xz2"], "Your password needs at least 8 characters."],
		["Create account", "Password", [email, "password1"], "This password is too common. Choose another."],
		[
			...["Create account", "Email", [customer.email, password]],
			"An account with this email already exists. Sign in instead.",
		],
		["Sign In", "Email", ["", password], "Enter your email."],
	] as const) {
		await test.step(`${send} ${JSON.stringify(typed)}`, async () => {
			await page.getByLabel("Email").fill(typed[0]);
			await page.getByLabel("Password").fill(typed[1]);
			await button(page, send).click();
			await expect.poll(() => alerts.at(-1)).toBe(refusal);
			const atFault = page.getByLabel(field);
			await expect(atFault).toBeFocused();
			await expect(atFault).toHaveAttribute("aria-invalid", "true");
			await expect(atFault).toHaveAccessibleDescription(field === "Password" ? `${refusal} ${rules}` : refusal);
			await expect(page.locator("[aria-invalid]")).toHaveCount(1);
			await expect(page.locator("[aria-describedby~=refusal]")).toHaveCount(1);
			await expect(page.getByLabel("Email")).toHaveValue(typed[0]);
			await expect(page.getByLabel("Password")).toHaveValue(typed[1]);
		});
	}
	const refreshed = page.waitForResponse("**/login.data*");
	await becomeVisible(page);
	await refreshed;
	await expect(page.locator("main")).toHaveAttribute("aria-busy", "false");
	await expect(page.locator("#refusal")).toHaveText("Enter your email.");
	await expect(page.getByLabel("Email")).toHaveAttribute("aria-invalid", "true");
	await expect(page.getByLabel("Password")).toHaveValue(password);
});
