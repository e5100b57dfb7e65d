import { expect, test } from "../support/browser.ts";
import { book, mixer, products, speaker } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { insertOrders } from "../support/seed-data.ts";

test.use({ javaScriptEnabled: false });

test("pages have a note about JavaScript and none of the buttons that need it", async ({ page }) => {
	const note = page.locator(".scriptless");
	await page.goto("/");
	await expect(note).toHaveText(/To use the basket and check out, open the shop itself with JavaScript allowed\.$/);
	await expect(note).toBeVisible();
	await expect(page.getByRole("article")).toHaveCount(products.length);
	await expect(page.getByRole("button")).toHaveCount(0);
	await page.getByRole("link", { name: `${mixer.title} ${mixer.price}` }).click();
	await expect(page.getByRole("heading", { name: mixer.title })).toBeVisible();
	await page.goBack();
	await page.getByRole("link", { name: `More Info: ${mixer.title}` }).click();
	await expect(page.getByRole("heading", { name: mixer.title })).toBeVisible();
	await expect(note).toBeVisible();
	await page.getByRole("link", { name: speaker.title }).click();
	await expect(page.getByRole("heading", { name: speaker.title })).toBeVisible();
	await page.goto("/login");
	await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
	await expect(page.getByRole("button", { name: "Show password" })).toHaveCount(0);
});

test("a shopper creates an account, sees its orders and signs out", async ({ page, shop, expectWarning }) => {
	expectWarning("400 /login");
	const customer = new Customer(shop);
	const send = async (email: string) => {
		await page.getByLabel("Email").fill(email);
		await page.getByLabel("Password").fill(customer.password);
		await page.getByRole("button", { name: "Create account" }).click();
	};
	await page.goto("/login");
	await test.step("a malformed email shows an error beside the form", async () => {
		await send("abc");
		await expect(page.locator("#refusal")).toHaveText("Enter a valid email address.");
		await expect(page.getByLabel("Email")).toHaveValue("abc");
		await expect(page.getByLabel("Email")).toBeFocused();
	});
	await send(customer.email);
	await expect(page.getByText(`Hello ${customer.email}`)).toBeVisible();
	await insertOrders(shop, await customer.userId(), [1_763_650_000]);
	await page.getByRole("link", { name: "Returns & Orders" }).click();
	await expect(page.getByRole("article")).toContainText(book.title);
	await page.getByRole("button", { name: "Sign Out" }).click();
	await expect(page.getByText("Hello Guest")).toBeVisible();
});

test("/payment does not send the email for the receipt to the shop", async ({ page }) => {
	await page.goto("/payment");
	const email = page.getByLabel("Email for your receipt");
	await email.fill("ada@example.com");
	await email.press("Enter");
	await expect(page).toHaveURL(/\/payment\?/);
	expect(page.url()).not.toContain("ada");
});

test("a phone shows the number of pictures, and a picture links to its file", async ({ page }) => {
	for (const [width, height] of [[360, 640] as const, [390, 659] as const]) {
		await page.setViewportSize({ width, height });
		await page.goto(`/product/${mixer.id}`);
		const links = page.locator(".views a");
		await expect(page.getByText(`1 of ${await links.count()}`, { exact: true })).toBeInViewport({ ratio: 1 });
		await links.first().click({ position: { x: 20, y: 20 } });
		await expect(page).toHaveURL(/-1280\.webp$/);
	}
});
