import { checkOut, expect, follow, readAlerts, test } from "../support/browser.ts";
import { book } from "../support/catalogue.ts";
import { openShop } from "../support/shop.ts";

// the shop of the other browser tests has no rate limits
test.use({
	// biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern
	baseURL: async ({}, use) => {
		const shop = await openShop({ limited: true });
		await use(shop.url.href);
		await shop.close();
	},
});

test("a rate-limited sign-in opens an alert box and keeps the input", async ({ page, baseURL, expectRefusal }) => {
	expectRefusal("/login.data", 429);
	const alerts = readAlerts(page);
	const email = `${crypto.randomUUID()}@example.com`;
	const body = new URLSearchParams({ email, password: "wrong horse battery", intent: "sign-in" });
	const guess = (n: number) =>
		fetch(new URL("/login", baseURL), { method: "POST", body, headers: { "CF-Connecting-IP": `10.0.0.${n}` } });
	await Promise.all(Array.from({ length: 10 }, (_, n) => guess(n)));
	await page.goto("/login");
	await page.getByLabel("Email").fill(email);
	await page.getByLabel("Password").fill("wrong horse battery");
	await page.getByRole("button", { name: "Sign In" }).click();
	await expect(page.locator("#refusal")).toHaveText("Too many attempts. Try again in a minute.");
	await expect.poll(() => alerts.at(-1)).toBe("Too many attempts. Try again in a minute.");
	await expect(page.getByLabel("Email")).toHaveValue(email);
	await expect(page.getByLabel("Password")).toHaveValue("wrong horse battery");
});

test("a rate-limited payment shows a message and keeps the basket", async ({ page, baseURL, expectRefusal }) => {
	expectRefusal("/payments/create", 429);
	const create = () => fetch(new URL(`/payments/create?total=${book.priceCents}`, baseURL), { method: "POST" });
	await Promise.all(Array.from({ length: 30 }, create));
	await checkOut(page, "The Steady Business");
	await expect(page.getByText("Too many requests from your network. You have not been charged.")).toBeVisible();
	await expect(page.getByRole("button", { name: "Buy Now" })).toBeDisabled();
	await follow(page, "Basket, 1 item");
	await expect(page.getByText("Subtotal (1 item)")).toBeVisible();
});
