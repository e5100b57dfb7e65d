import type { Page } from "@playwright/test";
import { expect, follow, test } from "../support/browser.ts";
import { monitor, products, ultrawide } from "../support/catalogue.ts";

const page27 = `/product/${monitor.id}`;

test("the gallery shows every picture by thumbnail and by swipe, and enlarges it in a dialog", async ({ page }) => {
	await page.goto(page27);
	const thumbs = page.getByRole("button", { name: /^Picture \d of/ });
	const views = page.locator(".views");
	const pictures = await views.getByRole("img").all();
	await expect(thumbs).toHaveCount(pictures.length);

	await test.step("every picture has its own text alternative", async () => {
		const alts = await Promise.all(pictures.map((picture) => picture.getAttribute("alt")));
		expect(new Set(alts).size).toBe(alts.length);
		for (const alt of alts) expect(alt).toMatch(/\w+ \w+ \w+/);
	});

	await test.step("a thumbnail scrolls to its picture", async () => {
		await thumbs.nth(1).click();
		await expect(thumbs.nth(1)).toHaveAttribute("aria-current", "true");
		await expect(views.getByRole("img").nth(1)).toBeInViewport({ ratio: 0.9 });
	});

	await test.step("a swipe selects the thumbnail, also in a page written from right to left", async () => {
		await views.evaluate((list) => list.scrollTo({ left: 0 }));
		await expect(thumbs.first()).toHaveAttribute("aria-current", "true");
		await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
		await views.evaluate((list) => list.scrollTo({ left: -list.clientWidth }));
		await expect(thumbs.nth(1)).toHaveAttribute("aria-current", "true");
		await page.evaluate(() => document.documentElement.setAttribute("dir", "ltr"));
	});

	await test.step("a click enlarges the picture, and Escape returns the focus", async () => {
		const view = views.getByRole("button").nth(1);
		await thumbs.nth(1).click();
		await view.click();
		const dialog = page.getByRole("dialog");
		await expect(dialog.getByRole("img")).toHaveAttribute("alt", (await pictures[1]?.getAttribute("alt")) ?? "");
		expect(await dialog.getByRole("img").evaluate(({ clientWidth }) => clientWidth)).toBeGreaterThanOrEqual(1280);
		await expect(dialog.getByRole("img")).toHaveJSProperty("complete", true);
		await page.keyboard.press("Escape");
		await expect(dialog).toBeHidden();
		await expect(view).toBeFocused();
	});

	await test.step("another product's page starts with its first picture", async () => {
		await follow(page, /^49-inch super/);
		await expect(page.getByRole("heading", { level: 1, name: "49-inch" })).toBeFocused();
		await expect(thumbs.first()).toHaveAttribute("aria-current", "true");
	});
});

const windows: [name: string, width: number, height: number, fontSize: number][] = [
	["a phone", 390, 780, 16],
	["a landscape phone", 844, 390, 16],
	["a window with text of 200 %", 1280, 720, 32],
];

test("Add to Basket is visible at every scroll position of the article in small windows and with enlarged text", async ({
	page,
}) => {
	await page.goto(page27);
	const devtools = await page.context().newCDPSession(page);
	for (const [name, width, height, standard] of windows) {
		await test.step(name, async () => {
			await devtools.send("Page.setFontSizes", { fontSizes: { standard } });
			await page.setViewportSize({ width, height });
			const end = await page.evaluate(() => {
				const { bottom } = document.querySelector(".product")?.getBoundingClientRect() ?? { bottom: 0 };
				return bottom + scrollY - innerHeight;
			});
			const isWide = width >= 45 * standard;
			// in a wide window, the button stays beside the pictures and leaves with them
			for (const position of isWide ? [0] : [0, end / 2, end]) {
				await page.evaluate((top) => scrollTo({ top, behavior: "instant" }), position);
				await expect(addToBasket(page), `at ${position} px`).toBeInViewport({ ratio: 1 });
			}
		});
	}
});

function addToBasket(page: Page) {
	return page.getByRole("button", { name: "Add to Basket" });
}

test("every product's page has a background in the product's color", async ({ page }) => {
	const backgrounds: string[] = [];
	for (const { id } of products) {
		await page.goto(`/product/${id}`);
		backgrounds.push(await page.locator(".world").evaluate((world) => getComputedStyle(world).backgroundImage));
	}
	for (const background of backgrounds) expect(background).toContain("gradient");
	expect(new Set(backgrounds).size).toBe(products.length);
});

test("the mark highlights the dot of a product's place, and no dot from the seventh product on", async ({ page }) => {
	await page.goto(page27);
	const dots = await page.locator(".about > .mark").evaluate((mark) =>
		["0", "1", "2", "3", "4", "5", "6", "7"].map((place) => {
			mark.setAttribute("data-lit", place);
			return getComputedStyle(mark).backgroundPosition.split(", ")[0];
		}),
	);
	expect(new Set(dots.slice(0, 6)).size).toBe(6);
	expect(dots.slice(6)).toEqual(["200% 0px", "200% 0px"]);
});

test("in a wide window, the other products are in one row, also if there is one more", async ({ page }) => {
	await page.goto(page27);
	const rows = await page.locator(".others ul").evaluate((list) => {
		list.innerHTML += list.lastElementChild?.outerHTML;
		return new Set(Array.from(list.children, (item) => item.getBoundingClientRect().top)).size;
	});
	expect(rows).toBe(1);
});

test("each monitor's page compares it with the other monitor", async ({ page }) => {
	await page.goto(page27);
	const table = page.getByRole("table");
	await expect(table.getByRole("row", { name: /^Price/ })).toHaveText(`Price${monitor.price}${ultrawide.price}`);
	for (const row of await table.getByRole("row").all()) {
		expect(await row.getByRole("cell").count()).toBeGreaterThanOrEqual(1);
		for (const cell of await row.locator("tbody td").all()) await expect(cell).not.toBeEmpty();
	}
	await table.getByRole("link").click();
	await expect(page.getByRole("heading", { level: 1, name: "49-inch" })).toBeFocused();
	await expect(table.getByRole("row", { name: /^Price/ })).toHaveText(`Price${ultrawide.price}${monitor.price}`);
});
