import { checkOut, expect, follow, test } from "../support/browser.ts";
import { withinAMinute } from "../support/minute.ts";
import { openShop } from "../support/shop.ts";

// one that limits, where the other tests' shop lets all browsers of this machine ask as often as they like
test.use({
	// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
	baseURL: async ({}, use) => {
		const shop = await openShop();
		await use(shop.url.href);
		await shop.close();
	},
});

test("too many tries of a password are refused in an alert box, and the e-mail is kept", async ({
	page,
	baseURL,
	expectRefusal,
}) => {
	expectRefusal("/login.data", 429);
	expectRefusal("/login.data", 400);
	const alerts: string[] = [];
	page.on("dialog", async (dialog) => {
		alerts.push(dialog.message());
		await dialog.accept();
	});
	const email = await withinAMinute(async () => {
		const email = `${crypto.randomUUID()}@example.com`;
		const body = new URLSearchParams({ email, password: "wrong horse battery", intent: "sign-in" });
		const guess = (n: number) =>
			fetch(new URL("/login", baseURL), { method: "POST", body, headers: { "CF-Connecting-IP": `10.0.0.${n}` } });
		// one after the other: passwords are hashed in turn
		for (let n = 0; n < 10; n++) await guess(n);
		await page.goto("/login");
		await page.getByLabel("E-mail").fill(email);
		await page.getByLabel("Password").fill("wrong horse battery");
		await page.getByRole("button", { name: "Sign In" }).click();
		await expect(page.locator("#refusal")).toBeVisible();
		return email;
	});
	await expect(page.locator("#refusal")).toHaveText("There were too many tries. Please try again in a minute.");
	expect(alerts.at(-1)).toBe("There were too many tries. Please try again in a minute.");
	await expect(page.getByLabel("E-mail")).toHaveValue(email);
	await expect(page.getByLabel("Password")).toHaveValue("wrong horse battery");
});

test("too many payments from one network are refused under the card, and the basket is kept", async ({
	page,
	baseURL,
	expectRefusal,
}) => {
	expectRefusal("/payments/create", 429);
	await withinAMinute(async () => {
		const create = () => fetch(new URL("/payments/create?total=1196", baseURL), { method: "POST" });
		await Promise.all(Array.from({ length: 30 }, create));
		const answer = page.waitForResponse(/\/payments\/create/);
		await checkOut(page, "The Steady Business");
		await answer;
	});
	await expect(page.getByText("Too much has come from your network at once. Nothing was charged.")).toBeVisible();
	await expect(page.getByRole("button", { name: "Buy Now" })).toBeDisabled();
	await follow(page, "Basket, 1 item");
	await expect(page.getByText("Subtotal (1 item)")).toBeVisible();
});
