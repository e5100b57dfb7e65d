import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Page } from "@playwright/test";
import { homeHeading, logo, pageTitle } from "#app/brand.ts";
import { addToBasket, expect, expectNotReloaded, follow, markDocument, test, waitForCode } from "../support/browser.ts";
import { book, mixer, speaker } from "../support/catalogue.ts";
import type { Shop } from "../support/shop.ts";

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

/** Opens the home page and marks its document. */
async function open(page: Page): Promise<void> {
	await page.goto("/");
	await markDocument(page);
}

/** Deploys the other build, and waits until the browser can connect to it. */
async function deploy(page: Page, shop: Shop): Promise<void> {
	deployed = deployed === copy.server ? "build/server" : copy.server;
	await shop.deploy(deployed);
	const isUp = () =>
		page.evaluate(() =>
			fetch("/healthz").then(
				({ ok }) => ok,
				() => false,
			),
		);
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
	await open(page);
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
	await test.step("data of another shape shows an error page, which keeps the basket", async () => {
		for (const complaint of ["React Router caught the following error", "TypeError: "]) expectWarning(complaint);
		await page.route("**/product/*.data*", async (route) => {
			const response = await route.fetch();
			await route.fulfill({ response, body: (await response.text()).replaceAll("products", "goods") });
		});
		await follow(page, logo);
		await follow(page, `More Info: ${book.title}`);
		await expect(heading(page, "Something went wrong")).toBeVisible();
		await expect(page.getByText("To keep your basket, go back: a reload empties it.")).toBeVisible();
		await expect(page.getByRole("button", { name: "Reload and empty the basket" })).toBeVisible();
		await follow(page, "Basket, 1 item");
		await expect(page.getByText("Subtotal (1 item)")).toBeVisible();
	});
	await expectNotReloaded(page);
});

test("a tab whose next page is missing from the new build keeps its basket", async ({ page, shop, expectWarning }) => {
	expectWarning("404 /assets/");
	await page.route(/\/assets\/orders-/, (route) => route.abort());
	await open(page);
	await waitForCode(page, "/orders-");
	const oldScript = await script(page);
	await deploy(page, shop);
	await page.unroute(/\/assets\/orders-/);
	await follow(page, "Returns & Orders");
	await expect(heading(page, "The shop has been updated")).toBeVisible();
	await expect(page.getByRole("button", { name: "Reload", exact: true })).toBeVisible();

	await follow(page, "Home");
	await addToBasket(page, speaker.title);
	await follow(page, "Returns & Orders");
	await expect(heading(page, "The shop has been updated")).toBeVisible();
	await page.getByRole("button", { name: "Go back" }).click();
	await expect(heading(page, homeHeading)).toBeVisible();
	await follow(page, "Basket, 1 item");
	await expect(page.getByText("Subtotal (1 item)")).toBeVisible();
	await expectNotReloaded(page);
	await follow(page, "Returns & Orders");
	await test.step("a reload opens the page of the new build", async () => {
		await page.getByRole("button", { name: "Reload and empty the basket" }).click();
		await expect(heading(page, "Your Orders")).toBeVisible();
		expect(await script(page)).not.toBe(oldScript);
	});
});

test("if the root fails to render, a heading and advice have the shop's styles", async ({ page, expectWarning }) => {
	for (const complaint of ["React Router caught the following error", "Error: no events"]) expectWarning(complaint);
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

/** Copies the build and renames all of its assets, as if every file had changed. The caller must remove `folder`. */
async function copyBuild(): Promise<{ server: string; folder: string }> {
	const folder = await mkdtemp(join(tmpdir(), "half-dozen-next-"));
	await cp("build", join(folder, "build"), { recursive: true });
	await cp("migrations", join(folder, "migrations"), { recursive: true });
	const assets = join(folder, "build/client/assets");
	const names = await readdir(assets);
	const renamed = (text: string) =>
		names.reduce((text, name) => text.replaceAll(name, name.replace(/(?=\.\w+$)/, "2")), text);
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
