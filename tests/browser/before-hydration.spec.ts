import type { Page } from "@playwright/test";
import { homeTitle, logo } from "#app/brand.ts";
import { expect, fetchResponse, hold, signInOverHttp, test } from "../support/browser.ts";
import { speaker } from "../support/catalogue.ts";
import { expectNotReloaded, markDocument } from "../support/window.ts";

const entry = "**/assets/entry.client-*.js";
const addSpeaker = (page: Page) => page.getByRole("button", { name: `Add to Basket: ${speaker.title}` });
const stillLoading = "This page is still loading. Your click will take effect when it's ready. Reload";

/** What other programs do to a page, such as password managers and translators. */
const changes: Record<string, (added: HTMLElement) => void> = {
	"puts nothing into the page": () => {},
	"puts an element first into <main>": (added) =>
		document.querySelector("main")?.insertAdjacentElement("afterbegin", added),
	"puts an element beside the email field": (added) =>
		document.querySelector("[type=email]")?.insertAdjacentElement("afterend", added),
	"puts an element first into the form": (added) =>
		document.querySelector("form")?.insertAdjacentElement("afterbegin", added),
	"puts an element first into <body>": (added) => document.body.insertAdjacentElement("afterbegin", added),
	"puts an element last into <body>": (added) => document.body.appendChild(added),
	"puts an element under <html>": (added) => document.documentElement.appendChild(added),
	"puts an element first into <head>": (added) => document.head.insertAdjacentElement("afterbegin", added),
	"puts a text into <main>": () => document.querySelector("main")?.insertAdjacentText("afterbegin", "text"),
	"replaces the heading's text": () => {
		const heading = document.querySelector("h1");
		heading?.firstChild?.replaceWith(document.createElement("font"));
	},
};

/** Opens the sign-in form with a saved theme, types an email, clicks Show password, and changes the page, all before
 *  React has hydrated it. Returns what the page is like afterwards. */
async function visit(page: Page, change: (added: HTMLElement) => void) {
	const release = await hold(page, entry);
	await page.goto("/login", { waitUntil: "commit" });
	const email = page.getByLabel("Email");
	await page.getByLabel("Password").fill("correct horse");
	await email.fill("ada@example.com");
	await page.getByRole("button", { name: "Show password" }).dispatchEvent("click");
	await page.evaluate(`(${change})(document.createElement("template"))`);
	release();
	await page.waitForFunction(() => "isHydrated" in window);
	await expect(page.getByRole("button", { name: "Show password" })).toHaveAttribute("aria-pressed", "true");
	const typed = [await email.inputValue(), await page.getByLabel("Password").inputValue()];
	await expect(email).toBeFocused();
	const head = await page.locator("head > :not(template)").evaluateAll((tags) => tags.map((tag) => tag.outerHTML));
	const html = await page.locator("html").evaluate((html) => html.outerHTML.replace(/>.*/s, ""));
	const main = await page.getByRole("main").ariaSnapshot();
	await page.getByRole("link", { name: logo }).click();
	await expect(page).toHaveTitle(homeTitle);
	return { typed, html, head: head.toSorted(), main };
}

test("clicks before the scripts have loaded take effect in order after they have loaded", async ({ page }) => {
	const release = await hold(page, entry);
	await page.goto("/", { waitUntil: "commit" });
	const add = addSpeaker(page);
	await add.click();
	await expect(add).toHaveCSS("opacity", "0.5");
	await page.getByRole("button", { name: "Dark" }).click();
	await markDocument(page);
	await page.getByRole("link", { name: "Basket, 0 items" }).click();
	await expect(page.getByRole("link", { name: "Basket, 0 items" })).toHaveCSS("opacity", "0.5");
	release();
	await expect(page.getByRole("heading", { name: "Your basket" })).toBeFocused();
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toHaveCSS("opacity", "1");
	await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
	await expectNotReloaded(page);
});

test("a click that waits for five seconds shows a message, and then Sign Out and Reload work", async ({
	page,
	context,
	shop,
	expectWarning,
}) => {
	expectWarning("404 /assets/entry.client");
	expectWarning("TypeError: Failed to fetch dynamically imported module");
	await signInOverHttp(context, shop);
	const now = Date.now();
	await page.clock.install({ time: now });
	await page.route(entry, (route) => route.fulfill({ status: 404 }));
	const signOut = page.getByRole("button", { name: "Sign Out" });
	const message = page.getByRole("alert");
	await page.goto("/", { waitUntil: "commit" });
	await page.clock.pauseAt(now + 3_600_000);
	await addSpeaker(page).click();
	await signOut.click();
	await page.clock.fastForward(4999);
	await expect(signOut).toHaveCSS("opacity", "0.5");
	await expect(message).toHaveCount(0);
	await page.clock.fastForward(1);
	await expect(message).toHaveText(stillLoading);
	await signOut.click();
	await expect(page.getByText("Hello Guest")).toBeVisible();

	await addSpeaker(page).click();
	await page.clock.fastForward(5000);
	await page.unroute(entry);
	await page.getByRole("link", { name: "Reload" }).click();
	await page.clock.resume();
	await addSpeaker(page).click();
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	await expect(message).toHaveCount(0);
});

test("hydration keeps the state of a page that another program has changed", async ({ context, expectWarning }) => {
	expectWarning("Error: Minified React error #418");
	const results: Record<string, unknown> = {};
	for (const [name, change] of Object.entries(changes)) {
		const page = await context.newPage();
		await page.addInitScript(() => localStorage.setItem("theme", "dark"));
		results[name] = await test.step(name, () => visit(page, change));
		await page.close();
	}
	const expected = results["puts nothing into the page"];
	expect(expected).toMatchObject({
		typed: ["ada@example.com", "correct horse"],
		html: expect.stringContaining("dark"),
	});
	expect(results).toEqual(Object.fromEntries(Object.keys(changes).map((name) => [name, expected])));
});

test("a page whose inline scripts are forbidden says so, and hides the buttons that need them", async ({
	page,
	expectWarning,
}) => {
	expectWarning("Executing inline script violates the following Content Security Policy directive");
	// as a company's proxy does: a list of policies
	await page.route("/", async (route) => {
		const response = await fetchResponse(route);
		const headers = response.headers();
		const policy = `${headers["content-security-policy"]}, script-src 'self'`;
		await route.fulfill({ response, headers: { ...headers, "content-security-policy": policy } });
	});
	await page.goto("/", { waitUntil: "load" });
	await expect(
		page.getByText("To use the basket and check out, open the shop itself with JavaScript allowed."),
	).toBeVisible();
	await expect(page.getByRole("button")).toHaveCount(0);
	await page.getByRole("link", { name: `More Info: ${speaker.title}` }).click();
	await addSpeaker(page).first().waitFor();
	await expect(page.getByText("open the shop itself with JavaScript allowed")).toBeHidden();
});

test("the message goes when the page is ready, and the click takes effect", async ({ page }) => {
	const now = Date.now();
	await page.clock.install({ time: now });
	const release = await hold(page, entry);
	await page.goto("/", { waitUntil: "commit" });
	await page.clock.pauseAt(now + 3_600_000);
	await addSpeaker(page).click();
	await page.clock.fastForward(5000);
	await expect(page.getByRole("alert")).toHaveText(stillLoading);
	await page.clock.resume();
	release();
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a page whose address is only spelled differently is hydrated", async ({ page, expectWarning }) => {
	expectWarning("404 /product/");
	const unknown = ["1,", "1;", "1&utm_source=mail", "1%3Futm_source=mail", "%", "a%0Ab", "%25zz"];
	for (const path of ["/ORDERS/", "/%6Frders", ...unknown.map((id) => `/product/${id}`)]) {
		await page.goto(path);
		await page.getByRole("button", { name: "Dark" }).click();
		await expect(page.getByRole("button", { name: "Dark" })).toHaveAttribute("aria-pressed", "true");
	}
});
