import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { homeHeading } from "#app/brand.ts";
import { formatMoney } from "#app/ui/money.ts";
import { answerBank, authenticatedCard } from "../support/bank.ts";
import { expect, test } from "../support/browser.ts";
import { payWith } from "../support/card.ts";
import { book, mixer } from "../support/catalogue.ts";
import { addToBasket, createAccount, follow } from "../support/shopper.ts";

/** The browser APIs without which the shop works, as paths from `window`. */
const apis = [...readFileSync("docs/browsers.md", "utf8").matchAll(/^- `([^`]+)` \(/gm)].map(([, api = ""]) => api);

/** "missing": the property does not exist. "denied": reading it throws. "failing": calling it or its methods throws, or
 *  rejects if it returns a promise. */
const modes = ["missing", "denied", "failing"] as const;
type Mode = (typeof modes)[number];

/** Breaks APIs of the page. Runs in every document before its scripts. */
function breakApis({ apis, mode }: { apis: string[]; mode: Mode }): void {
	for (const api of apis) {
		const denied = new DOMException(`${api} is denied.`, "SecurityError");
		const deny = (): never => {
			throw denied;
		};
		const names = api.split(".");
		const name = names.pop() ?? "";
		const owner = names.reduce<object>((object, name) => Object(Reflect.get(object, name)), window);
		let holder: object | null = owner;
		while (holder && !Object.hasOwn(holder, name)) holder = Reflect.getPrototypeOf(holder);
		// the documents of a sandbox have fewer APIs
		if (!holder && window === top) throw new Error(`This browser has no ${api}.`);
		if (!holder) continue;
		const fail = owner === navigator ? () => Promise.reject(denied) : deny;
		const failing = (value: object): object =>
			new Proxy(value, {
				apply: fail,
				construct: deny,
				get: (target, key) => (typeof Reflect.get(target, key) === "function" ? fail : Reflect.get(target, key)),
			});
		if (mode === "missing") Reflect.deleteProperty(holder, name);
		else if (mode === "denied" || window !== top)
			Object.defineProperty(holder, name, { configurable: true, get: deny });
		else Object.defineProperty(holder, name, { configurable: true, value: failing(Reflect.get(owner, name)) });
	}
}

/** Uses each API as a shopper does, and buys: as a guest, and then as a customer. */
async function shopAround(page: Page): Promise<void> {
	await page.goto("/");
	await page.getByRole("button", { name: "Dark" }).click();
	await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
	await addToBasket(page, book.title);
	await addToBasket(page, mixer.title);
	await follow(page, `More Info: ${mixer.title}`);
	await expect(page.getByRole("heading", { name: mixer.title })).toBeVisible();
	await follow(page, "Basket, 2 items");
	await page.getByRole("button", { name: `Remove from Basket: ${book.title}` }).click();
	await expect(page.getByRole("listitem")).toHaveCount(1);
	await follow(page, "Proceed to Checkout");
	await payWith(page, authenticatedCard);
	await answerBank(page, "Complete");
	await expect(page).toHaveURL("/orders");
	await expect(page.getByRole("region", { name: "Your payment" })).toContainText(`You paid ${mixer.price}.`);

	await createAccount(page);
	await follow(page, /Orders/);
	await expect(page.locator("article.order")).toContainText(`Order Total: ${formatMoney(mixer.priceCents)}`);
}

const product = { [`/product/${mixer.id}`]: mixer.title };
const pages = { "/": homeHeading, ...product, "/login": "Sign In", "/nowhere": "Page Not Found" };

for (const mode of modes) {
	test(`a shopper buys and opens every page while all listed APIs are ${mode}`, async ({ page, expectWarning }) => {
		expectWarning("404 /nowhere");
		await page.addInitScript(breakApis, { apis, mode });
		await shopAround(page);
		for (const [path, name] of Object.entries(pages)) {
			await page.goto(path);
			await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
		}
	});

	if (!process.env["LONG"]) continue;
	for (const api of apis) {
		test(`a shopper buys while ${api} is ${mode}`, async ({ page }) => {
			await page.addInitScript(breakApis, { apis: [api], mode });
			await shopAround(page);
		});
	}
}

test("a page opens while any one of the APIs in docs/browsers.md is denied", async ({ page }) => {
	expect(apis.length).toBeGreaterThan(10);
	for (const api of apis) {
		await test.step(api, async () => {
			const added = await page.addInitScript(breakApis, { apis: [api], mode: "denied" as const });
			await page.goto("/checkout");
			await expect(page.getByRole("heading", { level: 1, name: "Your basket" })).toBeVisible();
			await added.dispose();
		});
	}
});
