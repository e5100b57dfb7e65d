import { addToBasket, createAccount, expect, follow, test } from "../support/browser.ts";

test("a refused sign-in is an alert box and keeps the e-mail", async ({ page, expectRefusal }) => {
	expectRefusal("/login.data", 400);
	await page.goto("/login");
	const alerts: string[] = [];
	page.on("dialog", async (dialog) => {
		alerts.push(dialog.message());
		await dialog.accept();
	});
	await page.getByLabel("E-mail").fill("nobody@example.com");
	await page.getByLabel("Password").fill("not the password");
	await page.getByRole("button", { name: "Sign In" }).click();
	await expect(page.locator("#refusal")).toHaveText("There is no account with this e-mail and password.");
	expect(alerts).toEqual(["There is no account with this e-mail and password."]);
	await expect(page.getByLabel("E-mail")).toHaveValue("nobody@example.com");
});

test("nothing is checked before the form is sent", async ({ page, expectRefusal }) => {
	expectRefusal("/login.data", 400);
	await page.goto("/login");
	const alert = page.waitForEvent("dialog");
	const click = page.getByRole("button", { name: "Sign In" }).click();
	const dialog = await alert;
	expect(dialog.message()).toBe("Please type your e-mail and your password.");
	await dialog.accept();
	await click;
	await expect(page.locator("form [required], form [pattern], form [minlength]")).toHaveCount(0);
});

test("signing in goes home and greets; signing out greets the guest and keeps page and basket", async ({ page }) => {
	await page.goto("/");
	const email = await createAccount(page);
	await expect(page).toHaveURL("/");
	await expect(page.getByRole("link", { name: "Sign In" })).toHaveCount(0);
	await addToBasket(page, "Smart speaker");
	await follow(page, "Returns & Orders");
	await expect(page).toHaveURL("/orders");
	await page.getByRole("button", { name: "Sign Out" }).click();
	await expect(page.getByText("Hello Guest")).toBeVisible();
	await expect(page).toHaveURL("/orders");
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();

	await follow(page, "Sign In");
	await page.getByLabel("E-mail").fill(email);
	await page.getByLabel("Password").fill("correct horse battery");
	await page.getByLabel("Password").press("Enter");
	await expect(page.getByText(`Hello ${email}`)).toBeVisible();
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
});

test("signing in or out in one tab shows in the others, whose baskets stay", async ({ page, context }) => {
	await page.goto("/");
	await addToBasket(page, "Smart speaker");
	const other = await context.newPage();
	await other.goto("/");
	const email = await createAccount(other);
	await expect(page.getByText(`Hello ${email}`)).toBeVisible();
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	await page.getByRole("button", { name: "Sign Out" }).click();
	await expect(other.getByText("Hello Guest")).toBeVisible();
});
