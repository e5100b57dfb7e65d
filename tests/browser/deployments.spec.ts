import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Page } from "@playwright/test";
import { currency, homeHeading, logo, pageTitle } from "#app/brand.ts";
import { formatMoney } from "#app/ui/money.ts";
import { expect, fetchResponse, signInOverHttp, test } from "../support/browser.ts";
import { buyNow, goodCard, payWith, typeCard } from "../support/card.ts";
import { book, mixer, otherCurrency, speaker } from "../support/catalogue.ts";
import type { Shop } from "../support/shop.ts";
import { addToBasket, checkOut, follow } from "../support/shopper.ts";
import { becomeVisible, expectNotReloaded, markDocument, waitForCode } from "../support/window.ts";

// Fault 36 of tests/faults.md: a tab keeps running the build it was opened with, after a deployment has removed that
// build's files.

// one worker process runs the file, so that the build is copied once
test.describe.configure({ mode: "default" });

let copy: { server: string; folder: string };
let deployed = "build/server";
test.beforeAll(async () => {
	copy = await copyBuild();
});
test.afterAll(async ({ shop }) => {
	await shop.deploy("build/server");
	await rm(copy.folder, { recursive: true });
});

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const script = (page: Page) => page.locator('script[src], link[href*="/assets/shell"]').first().getAttribute("href");

/** Deploys a build, by default the other one, and waits until the browser can connect to it. */
async function deploy(page: Page, shop: Shop, next = deployed === copy.server ? "build/server" : copy.server) {
	deployed = next;
	await shop.deploy(deployed);
	const isUp = () => page.evaluate(() => fetch("/healthz").then(({ ok }) => ok)).catch(() => false);
	await expect.poll(isUp).toBe(true);
}

test.beforeEach(({ expectWarning }) => {
	// connections that break while workerd restarts
	expectWarning("Failed to load resource: net::ERR_");
});
test.afterEach(async ({ page }) => {
	// a picture that is loading when the Worker restarts would log an error
	await page.close();
});

test("after a deployment, an open tab keeps its basket and opens every page", async ({ page, shop, expectWarning }) => {
	const gone: string[] = [];
	page.on("response", (response) => {
		if (response.status() === 404) gone.push(response.url());
	});
	await page.goto("/");
	await markDocument(page);
	await waitForCode(page);
	await addToBasket(page, speaker.title);
	await deploy(page, shop);
	for (const [link, name] of [
		[`More Info: ${mixer.title}`, mixer.title],
		["Returns & Orders", "Your Orders"],
		["Sign In", "Sign In"],
		["Home", homeHeading],
		["Basket, 1 item", "Your basket"],
		["Proceed to Checkout", "Checkout (1 item)"],
	] as const) {
		await follow(page, link);
		await expect(heading(page, name)).toBeVisible();
	}
	await expect(page.locator("iframe").first()).toBeVisible();
	expect(gone).toEqual([]);
	await expectNotReloaded(page);
	await test.step("a page that cannot show data of another shape is loaded as a document, with the basket", async () => {
		expectWarning("React Router caught the following error", "TypeError: ");
		await page.route("**/product/*.data*", async (route) => {
			const response = await fetchResponse(route);
			await route.fulfill({ response, body: (await response.text()).replaceAll("products", "goods") });
		});
		await follow(page, logo);
		await follow(page, `More Info: ${book.title}`);
		await expect(heading(page, book.title)).toBeVisible();
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
		// a refresh fails in the same way, and this document was loaded at the page's address
		await becomeVisible(page);
		await expect(heading(page, "Something went wrong")).toBeVisible();
		await expect(page.getByText("Your basket is unchanged.")).toBeVisible();
		await page.unroute("**/product/*.data*");
		await page.getByRole("button", { name: "Try again" }).click();
		await expect(heading(page, book.title)).toBeVisible();
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	});
});

test("a page that the new build lacks is opened there, with the basket", async ({ page, shop, expectWarning }) => {
	expectWarning("404 /assets/", "Error loading route module", "TypeError: Failed to fetch");
	await page.route(/\/assets\/orders-/, (route) => route.abort());
	await page.goto("/");
	await waitForCode(page, "/orders-");
	await addToBasket(page, speaker.title);
	const oldScript = await script(page);
	await deploy(page, shop);
	await page.unroute(/\/assets\/orders-/);
	await follow(page, "Returns & Orders");
	await expect(heading(page, "Your Orders")).toBeVisible();
	expect(await script(page)).not.toBe(oldScript);
	await follow(page, "Basket, 1 item");
	await expect(page.getByText("Subtotal (1 item)")).toBeVisible();
	await page.reload();
	await expect(page.getByRole("link", { name: "Basket, 0 items" })).toBeVisible();
});

test("after a change of currency, a tab pays only once it shows the new one", async ({ page, shop, expectWarning }) => {
	expectWarning("409 /payments/create", "409 /payments/place");
	const shown = (code: string) => formatMoney(book.priceCents, code);
	const { server, folder } = await copyBuild(otherCurrency);
	await page.goto("/");
	await deploy(page, shop, "build/server");
	await signInOverHttp(page.context(), shop);
	await checkOut(page, book.title);
	await payWith(page, goodCard);
	await follow(page, "Continue shopping");
	await checkOut(page, book.title);
	const total = page.locator("#total");
	await expect(total).toContainText(shown(currency));
	await typeCard(page, goodCard);
	// the card input's frame could not be loaded while the Worker restarts
	await expect(page.getByText("Ready to pay.")).toBeVisible();
	await deploy(page, shop, server);
	await buyNow(page).click();
	await expect(page.getByText("Our prices are in another currency now. You have not been charged.")).toBeVisible();
	await page.getByRole("button", { name: "Load this page" }).click();
	await expect(total).toContainText(shown(otherCurrency));
	await payWith(page, goodCard);
	await expect(heading(page, "Your Orders")).toBeVisible();
	await expect(page.getByText(`You paid ${shown(otherCurrency)}.`)).toBeVisible();
	await expect(page.getByRole("article").locator(".price")).toHaveText(
		[otherCurrency, otherCurrency, currency, currency].map(shown),
	);
	const { data } = await shop.stripe.paymentIntents.list({ limit: 3 });
	expect(data.map(({ currency, status, amount_received }) => [currency, status, amount_received])).toEqual([
		[otherCurrency, "succeeded", book.priceCents],
		[currency, "canceled", 0],
		[currency, "succeeded", book.priceCents],
	]);
	await test.step("also if its intent has yet to be prepared", async () => {
		await follow(page, "Continue shopping");
		await addToBasket(page, book.title);
		await deploy(page, shop, "build/server");
		await follow(page, "Basket, 1 item");
		await follow(page, "Proceed to Checkout");
		await page.getByRole("button", { name: "Load this page" }).click();
		await expect(total).toContainText(shown(currency));
		await expect(page.getByRole("button", { name: "Load this page" })).toHaveCount(0);
	});
	await rm(folder, { recursive: true });
});

test("if the root fails to render, a heading and advice have the shop's styles", async ({ page, expectWarning }) => {
	expectWarning("React Router caught the following error", "Error: no events");
	await page.addInitScript(() => {
		const listen = window.addEventListener.bind(window);
		window.addEventListener = (type: string, ...rest: [EventListenerOrEventListenerObject]) => {
			// follow-customer.ts, which root.tsx uses, listens to this event
			if (type === "storage") throw new Error("no events");
			listen(type, ...rest);
		};
	});
	// the root fails to render, so that the page is never hydrated
	await page.goto("/", { waitUntil: "load" });
	await expect(heading(page, "Something went wrong")).toBeVisible();
	await expect(page.getByText("Please load this page again.")).toBeVisible();
	await expect(page).toHaveTitle(pageTitle("Something went wrong"));
	await expect(page.locator("link[rel=stylesheet]")).not.toHaveCount(0);
});

/** Copies the build, with this currency, and renames all of its assets, as if every file had changed. The caller must
 *  remove `folder`. */
async function copyBuild(code: string = currency): Promise<{ server: string; folder: string }> {
	const folder = await mkdtemp(join(tmpdir(), "half-dozen-next-"));
	await cp("build", join(folder, "build"), { recursive: true });
	await cp("migrations", join(folder, "migrations"), { recursive: true });
	const assets = join(folder, "build/client/assets");
	const names = await readdir(assets);
	const renamed = (text: string) =>
		names
			.reduce((text, name) => text.replaceAll(name, name.replace(/(?=\.\w+$)/, "2")), text)
			.replaceAll(new RegExp(`(?<=\`)${currency}\\b`, "g"), code);
	for (const place of ["build/client/assets", "build/server"]) {
		for (const file of await readdir(join(folder, place), { recursive: true })) {
			if (!/\.(js|css|json)$/.test(file)) continue;
			const text = await readFile(join(folder, place, file), "utf8");
			const name = names.includes(basename(file)) && place !== "build/server" ? renamed(file) : file;
			await writeFile(join(folder, place, name), renamed(text));
		}
	}
	for (const name of names) await rm(join(assets, name));
	return { server: join(folder, "build/server"), folder };
}
