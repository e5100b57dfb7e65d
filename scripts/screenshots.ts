// `npm run screenshots`: every page of the built shop in its states, at four widths and in both themes, as
// screenshots/{theme}-{width}-{page}.png. Arguments choose: `npm run screenshots -- home 360` makes those whose names
// have both words in them. For looking at, not for comparing: nothing is committed.
import { mkdir, rm } from "node:fs/promises";
import { type Browser, chromium, type Page } from "@playwright/test";
import playwright from "../playwright.config.ts";
import { addToBasket, createAccount, declinedCard, follow, goodCard, typeCard } from "../tests/support/browser.ts";
import { insertOrders } from "../tests/support/order-history.ts";
import { openShop, type Shop } from "../tests/support/shop.ts";
import { Shopper } from "../tests/support/shopper.ts";

const words = process.argv.slice(2);
const folder = "screenshots";
const widths = [360, 768, 1280, 1920];
const themes = ["light", "dark"] as const;

const goTo = (path: string) => (page: Page) => page.goto(path, { waitUntil: "networkidle" });

async function fillBasket(page: Page): Promise<void> {
	await goTo("/")(page);
	for (const title of ["The Steady Business", "Stand mixer", "49-inch", "The Steady Business"]) {
		await addToBasket(page, title);
	}
	await follow(page, "Basket, 4 items");
	await page.getByRole("heading", { name: "Your basket" }).waitFor();
}

async function fillPayment(page: Page, card: string): Promise<void> {
	await fillBasket(page);
	await follow(page, "Proceed to Checkout");
	await typeCard(page, card);
	await page.locator("button:not(:disabled)", { hasText: "Buy Now" }).waitFor();
}

async function becomeCustomer(page: Page, shop: Shop, orders: number): Promise<Shopper> {
	const shopper = new Shopper(shop);
	await goTo("/")(page);
	await createAccount(page, shopper.email);
	await shopper.signIn();
	const created = Array.from({ length: orders }, (_, day) => 1_763_650_000 + day * 90_000);
	await insertOrders(shop, await shopper.customer(), created);
	return shopper;
}

/** How each picture comes about. */
const pages: Record<string, (page: Page, shop: Shop) => Promise<unknown>> = {
	home: goTo("/"),
	product: goTo("/product/49538094"),
	"product-wide": goTo("/product/90829332"),
	"not-found": goTo("/nowhere"),
	login: goTo("/login"),
	async "login-refused"(page) {
		page.on("dialog", (dialog) => void dialog.accept());
		await goTo("/login")(page);
		await page.getByLabel("E-mail").fill("ada@example.com");
		await page.getByRole("button", { name: "Sign In" }).click();
		await page.locator("#refusal").waitFor();
	},
	"checkout-empty": goTo("/checkout"),
	checkout: fillBasket,
	"payment-empty": goTo("/payment"),
	payment: (page) => fillPayment(page, goodCard),
	async "payment-declined"(page) {
		await fillPayment(page, declinedCard);
		await page.getByRole("button", { name: "Buy Now" }).click();
		await page.getByText("declined").waitFor();
	},
	"orders-guest": goTo("/orders"),
	async "orders-empty"(page, shop) {
		await becomeCustomer(page, shop, 0);
		await goTo("/orders")(page);
	},
	async orders(page, shop) {
		const shopper = await becomeCustomer(page, shop, 3);
		const refunded = await shopper.pay(["49538094"]);
		await shopper.settle(refunded);
		const feed = page.waitForEvent("websocket");
		await goTo("/orders")(page);
		await feed;
		await shop.stripe.refunds.create({ payment_intent: refunded.replace(/_secret_.*/, "") });
		await shopper.settle(await shopper.pay(["23445930", "3254354345"]));
		await page.locator(".news").nth(1).waitFor();
	},
	async "orders-older"(page, shop) {
		await becomeCustomer(page, shop, 22);
		await goTo("/orders")(page);
		await page.getByRole("link", { name: "Show older orders" }).click();
		await page.getByRole("heading", { name: "Your Older Orders" }).waitFor();
	},
};

await rm(folder, { recursive: true, force: true });
await mkdir(folder);
const shop = await openShop();
const browser = await chromium.launch(playwright.use?.launchOptions ?? {});
for (const theme of themes) {
	for (const width of widths) {
		for (const [name, open] of Object.entries(pages)) {
			const file = `${theme}-${width}-${name}`;
			if (words.every((word) => file.split("-").includes(word))) await shoot(browser, file, { theme, width, open });
		}
	}
}
await browser.close();
await shop.close();

interface Shot {
	theme: (typeof themes)[number];
	width: number;
	open: (page: Page, shop: Shop) => Promise<unknown>;
}

async function shoot(browser: Browser, file: string, { theme, width, open }: Shot): Promise<void> {
	const page = await browser.newPage({
		baseURL: shop.url.href,
		colorScheme: theme,
		reducedMotion: "reduce",
		viewport: { width, height: width < 700 ? 780 : 900 },
	});
	await open(page, shop);
	// what loads when it comes near would be missing from a picture of the whole page
	await page.evaluate(async () => {
		for (const image of document.images) image.loading = "eager";
		await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
	});
	await page.screenshot({ path: `${folder}/${file}.png`, fullPage: true });
	await page.close();
}
