import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { deliveryAddress, logo } from "#app/brand.ts";
import { splitIntoRows } from "#app/catalogue/rows.ts";
import { basketTotal } from "#app/tab/basket.ts";
import { itemCount } from "#app/ui/item-count.ts";
import { formatMoney } from "#app/ui/money.ts";
import { expect, signInOverHttp, test } from "../support/browser.ts";
import { goodCard, typeCard } from "../support/card.ts";
import { book, products, speaker } from "../support/catalogue.ts";
import { insertOrders } from "../support/seed-data.ts";
import { checkOut, fillBasket } from "../support/shopper.ts";

// The parts that docs/specification.md lists for each page, by role and name. tests/worker/pages.test.ts finds them in the
// document that the server sends, which hydration does not change: the console would have an error.

interface View {
	page: Page;
	email: string;
	basket: typeof products;
}

type Role = Parameters<Page["getByRole"]>[0];
const find = (within: Page | Locator, role: Role, name: string | RegExp) =>
	within.getByRole(role, { name, exact: true });

/** Asserts that the page or its only order has these items. Returns the lines of the items. */
async function expectItems(within: Locator, items: typeof products): Promise<Locator> {
	const lines = within.getByRole("listitem");
	await expect(lines).toHaveCount(items.length);
	for (const [index, { title, price }] of items.entries()) {
		await expect(find(lines.nth(index), "link", new RegExp(`^${title}`))).toBeVisible();
		await expect(lines.nth(index).locator("img")).toBeVisible();
		await expect(lines.nth(index)).toContainText(price);
	}
	return lines;
}

/** Asserts that a card or a page shows a product. */
async function expectProduct(within: Locator, { title, price, rating }: (typeof products)[number]): Promise<void> {
	await expect(find(within, "heading", new RegExp(`^${title}`)).first()).toBeVisible();
	await expect(within.getByText(price, { exact: true })).toBeVisible();
	await expect(find(within, "img", `Rated ${rating} out of 5 stars`)).toBeVisible();
	await expect(within.locator("picture img").first()).toBeAttached();
	await expect(find(within, "button", /^Add to Basket: /)).toHaveCount(1);
}

const parts: Record<string, (view: View) => Promise<unknown>> = {
	async header({ page, email, basket }) {
		const banner = page.getByRole("banner");
		await expect(find(banner, "link", logo)).toHaveAttribute("href", "/");
		await expect(find(banner, "searchbox", "Search")).toBeVisible();
		await expect(banner.getByText(`Hello ${email}`)).toBeVisible();
		await expect(find(banner, "button", "Sign Out")).toBeVisible();
		await expect(find(banner, "link", "Returns & Orders")).toHaveAttribute("href", "/orders");
		await expect(banner.getByText("Prime", { exact: true })).toBeVisible();
		await expect(find(banner, "link", `Basket, ${itemCount(basket.length)}`)).toHaveAttribute("href", "/checkout");
	},
	async "footer bar"({ page }) {
		const footer = page.getByRole("contentinfo");
		await expect(find(footer, "link", "Home")).toHaveAttribute("href", "/");
		for (const theme of ["Dark", "Light"]) await expect(find(footer, "button", theme)).toBeVisible();
	},
	"hero image": ({ page }) => expect(page.locator(".hero img").filter({ visible: true })).toHaveCount(1),
	async "product cards in rows of 2, 3 and 1"({ page }) {
		const rows = page.getByRole("main").locator(".row");
		const expected = splitIntoRows(products);
		await expect(rows).toHaveCount(expected.length);
		for (const [row, cards] of expected.entries()) {
			await expect(rows.nth(row).getByRole("article")).toHaveCount(cards.length);
			for (const product of cards) {
				const card = rows.nth(row).getByRole("article").filter({ hasText: product.title });
				await expectProduct(card, product);
				await expect(find(card, "link", /^More Info: /)).toHaveAttribute("href", `/product/${product.id}`);
			}
		}
	},
	async "email and password inputs"({ page }) {
		await expect(find(page, "textbox", "Email")).toHaveAttribute("type", "email");
		await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("type", "password");
	},
	async "Sign In and Create account buttons"({ page }) {
		for (const name of ["Sign In", "Create account"]) await expect(find(page, "button", name)).toBeVisible();
	},
	"greeting with the user's email": ({ page, email }) =>
		expect(page.getByRole("main").getByText(`Hello ${email}`)).toBeVisible(),
	async "basket items, each with a Remove from Basket button"({ page, basket }) {
		for (const line of await (await expectItems(page.getByRole("main"), basket)).all()) {
			await expect(find(line, "button", /^Remove from Basket/)).toBeVisible();
		}
	},
	async "basket items without remove buttons"({ page, basket }) {
		await expect((await expectItems(page.getByRole("main"), basket)).getByRole("button")).toHaveCount(0);
	},
	async "subtotal box"({ page, basket }) {
		const box = page.getByRole("complementary", { name: "Order summary" });
		await expect(box).toContainText(`Subtotal (${itemCount(basket.length)}): ${formatMoney(basketTotal(basket))}`);
		await expect(find(box, "checkbox", "This order contains a gift")).toBeVisible();
		await expect(find(box, "link", "Proceed to Checkout")).toHaveAttribute("href", "/payment");
	},
	async "delivery address"({ page, email }) {
		await expect(find(page, "heading", "Delivery address")).toBeVisible();
		for (const line of [email, ...deliveryAddress]) await expect(page.locator("address")).toContainText(line);
	},
	async "payment method"({ page }) {
		await expect(find(page, "heading", "Payment method")).toBeVisible();
		await typeCard(page, goodCard);
		await expect(find(page, "button", "Buy Now")).toBeEnabled();
	},
	"order total": ({ page, basket }) =>
		expect(page.getByRole("complementary", { name: "Order summary" })).toContainText(
			`Order Total: ${formatMoney(basketTotal(basket))}`,
		),
	async "list titled Your Orders"({ page }) {
		await expect(find(page, "heading", "Your Orders")).toBeVisible();
		const order = page.getByRole("article");
		await expect(order.getByRole("time")).toHaveText(/^November \d+th 2025, \d+:\d\d[ap]m$/);
		await expect(order).toContainText(/pi_\w+/);
		await expect((await expectItems(order, [book])).getByRole("button")).toHaveCount(0);
		await expect(order).toContainText(`Order Total: ${book.price}`);
	},
	async "one product's details"({ page }) {
		const product = page.getByRole("article");
		await expectProduct(product, book);
		await expect(product.getByRole("paragraph").filter({ hasText: /.{80}/ }).first()).toBeVisible();
	},
	"Page Not Found": ({ page }) => expect(find(page, "heading", "Page Not Found")).toBeVisible(),
	apology: ({ page }) => expect(page.getByRole("main")).toContainText(/sorry/i),
};

/** The table of pages: each path with its parts. */
const [, table = ""] =
	/^## 3\. Pages\n\n.*\n.*\n((\|.*\n)+)/m.exec(readFileSync("docs/specification.md", "utf8")) ?? [];
const pages = [...table.matchAll(/^\| (.*) \| (.*) \|$/gm)].map(([, path = "", content = ""]) => ({
	path: path === "any other" ? "/nowhere" : path.replace(/^`(.*)`.*$/, "$1").replace("{id}", book.id),
	parts: content.split("; "),
}));

/** Opens a page, with two items in the basket if it shows the basket. Returns the basket. */
async function open(page: Page, path: string): Promise<typeof products> {
	const fill = path === "/checkout" ? fillBasket : path === "/payment" ? checkOut : null;
	if (fill) await fill(page, book.title, speaker.title);
	else await page.goto(path);
	return fill ? [book, speaker] : [];
}

test("each page has the parts that the specification lists", async ({ page, shop, expectWarning }) => {
	expectWarning("404 /nowhere");
	expect(pages).toHaveLength(7);
	const customer = await signInOverHttp(page.context(), shop);
	await insertOrders(shop, await customer.userId(), [1_763_650_000]);
	for (const { path, parts: listed } of pages) {
		await test.step(path, async () => {
			const basket = await open(page, path);
			for (const part of listed) {
				await test.step(part, async () => {
					const check = parts[part];
					if (!check) throw new Error(`Add a check of the part "${part}" to this test.`);
					await check({ page, email: customer.email, basket });
				});
			}
			await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
			await expect(page.getByRole("banner")).toHaveCount(Number(listed.includes("header")));
			await expect(page.getByRole("contentinfo")).toHaveCount(Number(listed.includes("footer bar")));
		});
	}
});
