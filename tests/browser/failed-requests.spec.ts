import type { Page, Route } from "@playwright/test";
import {
	addToBasket,
	becomeVisible,
	expect,
	expectNotReloaded,
	follow,
	markDocument,
	test,
	tryAgain,
	waitForCode,
} from "../support/browser.ts";
import { products } from "../support/catalogue.ts";
import { listPageFiles } from "../support/page-bytes.ts";

// Fault 33 of tests/faults.md: a failed router request keeps the header, the basket and the document. A failed refresh
// keeps the page on screen; a failed navigation shows an error page until the data loads.

const speaker = "Smart speaker";

/** Follows links to each page, starting with an item in the basket. */
const ways: Record<string, (page: Page) => Promise<void>> = {
	"/": async () => {},
	"/login": (page) => follow(page, "Sign In"),
	"/checkout": (page) => follow(page, "Basket, 1 item"),
	"/payment": async (page) => {
		await follow(page, "Basket, 1 item");
		await follow(page, "Proceed to Checkout");
	},
	"/orders": (page) => follow(page, "Returns & Orders"),
	"/product/49538094": (page) => follow(page, "More Info: Stand mixer"),
	"/nowhere": async () => {},
};

const headings: [RegExp, RegExp][] = [
	[/^\/$/, /Six things/],
	[/^\/login$/, /Sign in/],
	[/^\/checkout$/, /Your basket/],
	[/^\/payment$/, /Checkout/],
	[/^\/orders$/, /Your Orders/],
	[/^\/product\//, new RegExp(products.map(({ title }) => title).join("|"))],
	[/./, /Page Not Found/],
];

const headingOf = (path: string) => headings.find(([paths]) => paths.test(path))?.[1] ?? /never/;
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const failure = /You're offline|We can't reach the shop|Something went wrong/;

/** How a data request fails, and the title of the resulting error page. */
const failures: Record<string, { respond(route: Route): Promise<void>; title: string }> = {
	"is aborted": { respond: (route) => route.abort(), title: "We can't reach the shop" },
	"returns 500": {
		respond: (route) => route.fulfill({ status: 500, body: "Internal Server Error" }),
		title: "Something went wrong",
	},
	"returns 503": {
		respond: (route) => route.fulfill({ status: 503, json: { error: { code: "unavailable", message: "" } } }),
		title: "Something went wrong",
	},
	"returns a proxy's HTML": {
		respond: (route) => route.fulfill({ contentType: "text/html", body: "<h1>Sign in to this network</h1>" }),
		title: "Something went wrong",
	},
	hangs: { respond: async () => {}, title: "We can't reach the shop" },
};

/** Opens the page at `start` with an item in the basket, and marks its document. */
async function open(page: Page, start: string): Promise<void> {
	await page.goto(start === "/nowhere" ? start : "/");
	await addToBasket(page, speaker);
	await ways[start]?.(page);
	await expect(heading(page)).toHaveText(headingOf(start));
	await markDocument(page);
}

/** Asserts that the basket and the document are unchanged. */
async function expectKept(page: Page, path: string): Promise<void> {
	await expectNotReloaded(page);
	if (path === "/login") return;
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
}

/** Lists the paths of the shop's pages that this page links to, with at most one product. */
async function linksOf(page: Page): Promise<string[]> {
	const paths = await page.locator("a[href]").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
	const kinds = new Map(paths.map((path) => [path?.replace(/\d+$/, ""), path ?? ""]));
	// on /login, a link to /login?new only changes the form
	return [...kinds.values()].filter((path) => path.startsWith("/") && !path.includes("?"));
}

/** Picks every third path, starting at a different path for each failure. test:long uses all paths. */
const some = (paths: string[], turn: number) =>
	paths.filter((_, index) => Boolean(process.env["LONG"]) || index % 3 === turn % 3);

const link = (page: Page, path: string) => page.locator(`a[href="${path}"]`).first();
const needsData = (path: string) => path !== "/login" && path !== "/checkout";

test.beforeEach(({ expectWarning }) => {
	for (const complaint of ["Failed to load resource", "500 ", "503 ", "404 /nowhere"]) expectWarning(complaint);
});

for (const start of Object.keys(ways)) {
	test(`on ${start}, the basket and the document are kept when data requests fail or the browser is offline`, async ({
		page,
		context,
	}) => {
		await open(page, start);
		await test.step("pages load automatically when the browser is back online", async () => {
			await waitForCode(page);
			for (const path of await linksOf(page)) {
				if (path === start) continue;
				await context.setOffline(true);
				await link(page, path).click();
				if (needsData(path)) await expect(heading(page)).toHaveText("You're offline");
				await becomeVisible(page);
				await expectKept(page, path);
				await context.setOffline(false);
				await expect(heading(page)).toHaveText(headingOf(path));
				await expectKept(page, path);
				await page.goBack();
				await expect(heading(page)).toHaveText(headingOf(start));
			}
		});

		for (const [turn, [name, { respond, title }]] of Object.entries(failures).entries()) {
			await test.step(name, async () => {
				if (name === "hangs") await page.clock.install();
				/** Waits for a heading, and makes hanging requests time out. */
				const shows = async (text: string | RegExp) => {
					if (name !== "hangs") return expect(heading(page)).toHaveText(text);
					await expect(async () => {
						await page.clock.fastForward(10_000);
						await expect(heading(page)).toHaveText(text, { timeout: 1000 });
					}).toPass();
				};

				await page.route(/\.data/, respond);
				const requested = page.waitForRequest(/\.data/);
				await becomeVisible(page);
				await requested;
				await shows(headingOf(start));
				await expectKept(page, start);

				for (const path of some(await linksOf(page), turn)) {
					if (path === start) continue;
					await link(page, path).click();
					await becomeVisible(page);
					if (needsData(path)) {
						await shows(title);
						await expect(page).toHaveTitle(`${title} · Half Dozen`);
						await expectKept(page, path);
						await page.unroute(/\.data/);
						await tryAgain(page, heading(page).filter({ hasText: headingOf(path) }));
					}
					await shows(headingOf(path));
					await expectKept(page, path);
					await page.unroute(/\.data/);
					await page.goBack();
					await shows(headingOf(start));
					await page.route(/\.data/, respond);
				}
				await page.unroute(/\.data/);
			});
		}
	});

	test(`on ${start}, the basket and the document are kept when code fails to load`, async ({ page, shop }) => {
		const loaded = [start, "/checkout"].map((path) => listPageFiles(path, shop.fetch));
		const here = new Set(
			(await Promise.all([...loaded, listPageFiles("/", shop.fetch)])).flat().map(({ path }) => path),
		);
		const respond = (route: Route) =>
			here.has(new URL(route.request().url()).pathname) ? route.continue() : route.abort();
		await page.route("**/assets/*.js", respond);
		await open(page, start);
		for (const path of await linksOf(page)) {
			if (path === start) continue;
			await link(page, path).click();
			await expect(heading(page)).toHaveText(new RegExp(`${failure.source}|${headingOf(path).source}`, "i"));
			await expectKept(page, path);
			if (failure.test((await heading(page).textContent()) ?? "")) {
				await page.unroute("**/assets/*.js");
				await tryAgain(page, heading(page).filter({ hasText: headingOf(path) }));
				await expect(heading(page)).toHaveText(headingOf(path));
				await expectKept(page, path);
			}
			await page.goBack();
			await expect(heading(page)).toHaveText(headingOf(start));
		}
	});
}

test("clicking Try again opens a page whose shared code failed to load", async ({ page }) => {
	let failed = 0;
	const fail = (route: Route) => {
		failed++;
		return route.abort();
	};
	await page.route(/\/assets\/(pay|lines)-/, fail);
	await page.goto("/");
	await addToBasket(page, speaker);
	await markDocument(page);
	await follow(page, "Basket, 1 item");
	await expect(heading(page)).toHaveText("We can't reach the shop");
	expect(failed).toBeGreaterThan(1);
	await page.unroute(/\/assets\/(pay|lines)-/);
	await tryAgain(page, heading(page).filter({ hasText: "Your basket" }));
	await expect(heading(page)).toHaveText(/Your basket/);
	await expect(heading(page)).toBeFocused();
	await follow(page, "Proceed to Checkout");
	await expect(heading(page)).toHaveText(/Checkout/);
	await expectKept(page, "/payment");
});

test("each failed Try again announces the error again, and an automatic retry does not", async ({ page }) => {
	await page.goto("/");
	await waitForCode(page);
	await page.clock.install();
	let failed = 0;
	await page.route(/\.data/, (route) => {
		failed++;
		return route.abort();
	});
	await follow(page, "Returns & Orders");
	const alert = page.getByRole("alert");
	await expect(alert).toContainText("Check your connection, then try again.");
	// screen readers announce what is added to an alert
	await alert.evaluate((element) => {
		Reflect.set(window, "announcements", 0);
		const announce = () => Reflect.set(window, "announcements", Reflect.get(window, "announcements") + 1);
		new MutationObserver(announce).observe(element, { childList: true });
	});
	const announcements = () => page.evaluate(() => Reflect.get(window, "announcements"));
	for (const announced of [1, 2]) {
		await page.getByRole("button", { name: "Try again" }).click();
		await expect.poll(announcements).toBe(announced);
		await expect(page.getByRole("button", { name: "Try again" })).toBeFocused();
	}
	const before = failed;
	await page.clock.fastForward(15_000);
	await expect.poll(() => failed).toBeGreaterThan(before);
	await expect(page.getByRole("button", { name: "Try again" })).toHaveAttribute("aria-disabled", "false");
	expect(await announcements()).toBe(2);
});
