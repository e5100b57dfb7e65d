import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { deliveryAddress, logo } from "#app/brand.ts";
import { basketTotal } from "#app/tab/basket.ts";
import { itemCount } from "#app/ui/item-count.ts";
import { formatMoney } from "#app/ui/money.ts";
import { addToBasket, expect, follow, goodCard, signInOverHttp, test, typeCard } from "../support/browser.ts";
import { book, products, speaker } from "../support/catalogue.ts";
import { insertOrders } from "../support/seed-data.ts";

// The parts that docs/specification.md lists for each page, by role and name, in the document that the server sends and
// after hydration.

interface View {
	page: Page;
	email: string;
	/** The basket, which is empty without JavaScript. */
	basket: typeof products;
	hasScripts: boolean;
}

/** Returns a function that finds elements by role and exact name. Without JavaScript, it also finds the elements that
 *  the stylesheet hides because they need scripts. */
const finder =
	({ page, hasScripts }: View, within = page.locator("body")) =>
	(role: Parameters<Page["getByRole"]>[0], name: string | RegExp) =>
		within.getByRole(role, { name, exact: true, includeHidden: !hasScripts });

const stars = (rating: number) => `Rated ${rating} out of 5 stars`;

async function expectItems(view: View, remove: boolean): Promise<void> {
	const lines = view.page.getByRole("main").getByRole("listitem");
	await expect(lines).toHaveCount(view.basket.length);
	if (view.basket.length === 0) await expect(view.page.getByText("Your basket is empty.")).toBeVisible();
	for (const [index, { title, price }] of view.basket.entries()) {
		const find = finder(view, lines.nth(index));
		await expect(find("link", new RegExp(`^${title}`))).toBeVisible();
		await expect(lines.nth(index).locator("img")).toBeVisible();
		await expect(lines.nth(index)).toContainText(price);
		await expect(find("button", /^Remove from Basket/)).toHaveCount(Number(remove));
	}
}

const parts: Record<string, (view: View) => Promise<unknown>> = {
	async header(view) {
		const find = finder(view, view.page.getByRole("banner"));
		await expect(find("link", logo)).toHaveAttribute("href", "/");
		await expect(find("searchbox", "Search")).toBeVisible();
		await expect(view.page.getByRole("banner").getByText(`Hello ${view.email}`)).toBeVisible();
		await expect(find("button", "Sign Out")).toBeVisible();
		await expect(find("link", "Returns & Orders")).toHaveAttribute("href", "/orders");
		await expect(view.page.getByRole("banner").getByText("Prime", { exact: true })).toBeVisible();
		await expect(find("link", `Basket, ${itemCount(view.basket.length)}`)).toHaveAttribute("href", "/checkout");
	},
	async "footer bar"(view) {
		const find = finder(view, view.page.getByRole("contentinfo"));
		await expect(find("link", "Home")).toHaveAttribute("href", "/");
		for (const theme of ["Dark", "Light"]) await expect(find("button", theme)).toHaveCount(1);
	},
	"hero image": ({ page }) => expect(page.locator(".hero img").filter({ visible: true })).toHaveCount(1),
	async "product cards in rows of 2, 3 and 1"(view) {
		const rows = view.page.getByRole("main").locator(".row");
		const expected = [products.slice(0, 2), products.slice(2, 5), products.slice(5)].filter(({ length }) => length > 0);
		await expect(rows).toHaveCount(expected.length);
		for (const [row, cards] of expected.entries()) {
			await expect(rows.nth(row).getByRole("article")).toHaveCount(cards.length);
			for (const { id, title, price, rating } of cards) {
				const card = rows.nth(row).getByRole("article").filter({ hasText: title });
				const find = finder(view, card);
				await expect(find("heading", new RegExp(`^${title}`))).toBeVisible();
				await expect(card.getByText(price, { exact: true })).toBeVisible();
				await expect(find("img", stars(rating))).toBeVisible();
				await expect(card.locator("picture img")).toHaveCount(1);
				await expect(find("link", /^More Info: /)).toHaveAttribute("href", `/product/${id}`);
				await expect(find("button", /^Add to Basket: /)).toHaveCount(1);
			}
		}
	},
	async "email and password inputs"({ page }) {
		await expect(page.getByRole("textbox", { name: "Email" })).toHaveAttribute("type", "email");
		await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("type", "password");
	},
	async "Sign In and Create account buttons"(view) {
		for (const name of ["Sign In", "Create account"]) {
			await expect(finder(view)("button", name)).toHaveAttribute("type", "submit");
			await expect(finder(view)("button", name)).toBeVisible();
		}
	},
	"greeting with the user's email": ({ page, email }) =>
		expect(page.getByRole("main").getByText(`Hello ${email}`)).toBeVisible(),
	"basket items, each with a Remove from Basket button": (view) => expectItems(view, true),
	"basket items without remove buttons": (view) => expectItems(view, false),
	async "subtotal box"(view) {
		const box = view.page.getByRole("complementary", { name: "Subtotal" });
		await expect(box).toContainText(
			`Subtotal (${itemCount(view.basket.length)}): ${formatMoney(basketTotal(view.basket))}`,
		);
		await expect(finder(view, box)("checkbox", "This order contains a gift")).toBeVisible();
		await expect(finder(view, box)("link", "Proceed to Checkout")).toHaveAttribute("href", "/payment");
	},
	async "delivery address"({ page, email }) {
		await expect(page.getByRole("heading", { name: "Delivery address" })).toBeVisible();
		for (const line of [email, ...deliveryAddress]) await expect(page.locator("address")).toContainText(line);
	},
	async "payment method"(view) {
		await expect(view.page.getByRole("heading", { name: "Payment method" })).toBeVisible();
		await expect(finder(view)("button", "Buy Now")).toBeVisible();
		if (!view.hasScripts) return;
		await typeCard(view.page, goodCard);
		await expect(finder(view)("button", "Buy Now")).toBeEnabled();
	},
	"order total": ({ page, basket }) =>
		expect(page.getByRole("complementary", { name: "Order summary" })).toContainText(
			`Order Total: ${formatMoney(basketTotal(basket))}`,
		),
	async "list titled Your Orders"(view) {
		await expect(finder(view)("heading", "Your Orders")).toBeVisible();
		const order = view.page.getByRole("article");
		await expect(order.getByRole("time")).toHaveText(/^November \d+th 2025, \d+:\d\d[ap]m$/);
		await expect(order).toContainText(/pi_\w+/);
		await expect(order.getByRole("listitem")).toContainText(book.title);
		await expect(order).toContainText(`Order Total: ${book.price}`);
		await expect(order.getByRole("button", { name: "Remove" })).toHaveCount(0);
	},
	async "one product's details"(view) {
		await expect(finder(view)("heading", new RegExp(`^${book.title}`)).first()).toBeVisible();
		const product = view.page.getByRole("article");
		await expect(product.getByText(book.price, { exact: true })).toBeVisible();
		await expect(finder(view, product)("img", stars(book.rating))).toBeVisible();
		await expect(product.locator("picture img").first()).toBeVisible();
		await expect(product.getByRole("paragraph").filter({ hasText: /.{80}/ }).first()).toBeVisible();
		await expect(finder(view, product)("button", /^Add to Basket: /)).toHaveCount(1);
	},
	"Page Not Found": (view) => expect(finder(view)("heading", "Page Not Found")).toBeVisible(),
	apology: ({ page }) => expect(page.getByRole("main")).toContainText(/sorry/i),
};

/** The table of pages: each path with its parts. */
const [, table = ""] =
	/^## 3\. Pages\n\n.*\n.*\n((\|.*\n)+)/m.exec(readFileSync("docs/specification.md", "utf8")) ?? [];
const pages = [...table.matchAll(/^\| (.*) \| (.*) \|$/gm)].map(([, path = "", content = ""]) => ({
	path: path === "any other" ? "/nowhere" : path.replace(/^`(.*)`.*$/, "$1").replace("{id}", book.id),
	parts: content.split("; "),
}));

/** Opens a page. Keeps the basket, if there is one. */
async function open(page: Page, path: string, hasScripts: boolean): Promise<void> {
	if (!hasScripts || !["/checkout", "/payment"].includes(path)) return void (await page.goto(path));
	await page.goto("/");
	for (const { title } of [book, speaker]) await addToBasket(page, title);
	await follow(page, "Basket, 2 items");
	if (path === "/payment") await follow(page, "Proceed to Checkout");
}

for (const hasScripts of [true, false]) {
	test.describe(hasScripts ? "after hydration" : "without JavaScript", () => {
		test.use({ javaScriptEnabled: hasScripts });

		test("each page has the parts that the specification lists", async ({ page, shop, expectWarning }) => {
			expectWarning("404 /nowhere");
			expect(pages).toHaveLength(7);
			const customer = await signInOverHttp(page.context(), shop);
			await insertOrders(shop, await customer.userId(), [1_763_650_000]);
			for (const { path, parts: listed } of pages) {
				await test.step(path, async () => {
					await open(page, path, hasScripts);
					const basket = hasScripts && /checkout|payment/.test(path) ? [book, speaker] : [];
					for (const part of listed) {
						await test.step(part, async () => {
							const check = parts[part];
							if (!check) throw new Error(`Add a check of the part "${part}" to this test.`);
							await check({ page, email: customer.email, basket, hasScripts });
						});
					}
					await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
					await expect(page.getByRole("banner")).toHaveCount(Number(listed.includes("header")));
					await expect(page.getByRole("contentinfo")).toHaveCount(Number(listed.includes("footer bar")));
				});
			}
		});
	});
}
