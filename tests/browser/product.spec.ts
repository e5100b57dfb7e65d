import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser.ts";
import { monitor, products, ultrawide } from "../support/catalogue.ts";

const page27 = `/product/${monitor.id}`;

test("the gallery shows every picture by thumbnail, swipe and arrow key, and in a dialog", async ({ page }) => {
	await page.goto(page27);
	const thumbs = page.getByRole("button", { name: /^Show picture \d of/ });
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
		await expect(thumbs.nth(1)).toHaveCSS("border-top-width", "2px");
		await expect(thumbs.nth(0)).toHaveCSS("border-top-width", "0px");
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

	await test.step("arrow keys select another picture and focus it, and Tab reaches only the selected one", async () => {
		const view = (index: number) => views.getByRole("button").nth(index);
		await thumbs.first().click();
		await expect(thumbs.first()).toHaveAttribute("aria-current", "true");
		await page.keyboard.press("ArrowLeft");
		await expect(thumbs.last()).toBeFocused();
		await expect(thumbs.last()).toHaveAttribute("aria-current", "true");
		await page.keyboard.press("Shift+Tab");
		await expect(view(pictures.length - 1)).toBeFocused();
		await page.keyboard.press("ArrowRight");
		await expect(view(0)).toBeFocused();
		await expect(thumbs.first()).toHaveAttribute("aria-current", "true");
		await page.keyboard.press("Tab");
		await expect(thumbs.first()).toBeFocused();
		await page.keyboard.press("Tab");
		await expect(addToBasket(page)).toBeFocused();
	});

	await test.step("a click shows the whole picture in a dialog, and another one enlarges it, on a phone to twice its size; Escape returns the focus", async () => {
		const view = views.getByRole("button").nth(1);
		const dialog = page.getByRole("dialog");
		const picture = dialog.getByRole("img");
		const width = () => picture.evaluate(({ clientWidth }) => clientWidth);
		const expectPicture = async (index: number) => {
			const alt = (await pictures[index]?.getAttribute("alt")) ?? "";
			await expect(dialog.getByRole("status")).toHaveText(`Picture ${index + 1} of ${pictures.length} ${alt}`);
			await expect(picture).toHaveAttribute("alt", alt);
			await expect(picture).toHaveJSProperty("complete", true);
			await expect(picture).toBeInViewport({ ratio: 1 });
		};
		await thumbs.nth(1).click();
		await view.click();
		await expectPicture(1);
		await dialog.getByRole("button", { name: "Next" }).click();
		await expectPicture(2);
		await dialog.getByRole("button", { name: "Previous" }).click();
		await expectPicture(1);
		await page.keyboard.press("ArrowLeft");
		await expectPicture(0);
		await page.keyboard.press("ArrowLeft");
		await expectPicture(pictures.length - 1);
		// the second key precedes the scroll event of the first
		await dialog.evaluate(async (element) => {
			for (let presses = 0; presses < 2; presses++) {
				element.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
				await Promise.resolve();
			}
		});
		await expectPicture(1);

		expect(await width()).toBe(page.viewportSize()?.height);
		await picture.click();
		expect(await width()).toBe(1280);
		const middle = await picture.evaluate((image) => {
			const { left, right } = image.getBoundingClientRect();
			return (left + right) / 2;
		});
		expect(middle).toBeCloseTo((page.viewportSize()?.width ?? 0) / 2, -1);
		await picture.click();
		await expectPicture(1);
		const { width: before, height } = page.viewportSize() ?? { width: 1280, height: 720 };
		await page.setViewportSize({ width: 2560, height: 1440 });
		expect(await width()).toBe(1280);
		await page.setViewportSize({ width: 390, height: 844 });
		expect(await width()).toBe(390);
		await swipe(page, 300, 100);
		await expectPicture(2);
		await swipe(page, 100, 300);
		await expectPicture(1);
		await page.keyboard.press("Escape");
		await view.click();
		expect(await width()).toBe(390);
		await picture.click();
		expect(await width()).toBe(780);
		await swipe(page, 300, 100);
		expect(await width()).toBe(780);
		await picture.click();
		await expectPicture(1);
		await page.setViewportSize({ width: before, height });

		await page.keyboard.press("Escape");
		await expect(dialog).toBeHidden();
		await expect(view).toBeFocused();
	});

	await test.step("Tab follows the order on the screen, and closing focuses the picture that was last shown", async () => {
		const dialog = page.getByRole("dialog");
		const enlarge = views.getByRole("button", { name: /^Enlarge: \w+/ });
		await thumbs.first().click();
		await enlarge.first().click();
		await expect(dialog.getByRole("button", { name: "Close" })).toBeFocused();
		for (const name of [/^Full size: \w+/, "Previous", "Next"]) {
			await page.keyboard.press("Tab");
			await expect(dialog.getByRole("button", { name })).toBeFocused();
		}
		for (let presses = 0; presses < 2; presses++) await page.keyboard.press("Enter");
		await page.keyboard.press("Escape");
		await expect(enlarge.nth(2)).toBeFocused();
		await expect(enlarge.nth(2)).toBeInViewport({ ratio: 0.9 });
	});

	await test.step("the other monitor's page, to which the comparison links, starts with its first picture", async () => {
		const prices = page.getByRole("table").getByRole("row", { name: /^Price/ });
		await expect(prices).toHaveText(`Price${monitor.price}${ultrawide.price}`);
		for (const cell of await page.getByRole("table").locator("tbody td").all()) await expect(cell).not.toBeEmpty();
		await page.getByRole("table").getByRole("link").click();
		await expect(page.getByRole("heading", { level: 1, name: "49-inch" })).toBeFocused();
		await expect(prices).toHaveText(`Price${ultrawide.price}${monitor.price}`);
		await expect(thumbs.first()).toHaveAttribute("aria-current", "true");
	});
});

test("in wide windows, the product's edges are those of the page's grid, and no bar is behind its buttons", async ({
	page,
}) => {
	await page.goto(page27);
	for (const [width, height] of [
		...[[1024, 600] as const, [1280, 720] as const, [1366, 625] as const, [1366, 768] as const],
		...[[1536, 730] as const, [1920, 1080] as const, [2560, 1440] as const],
	]) {
		await test.step(`${width} × ${height}`, async () => {
			await page.setViewportSize({ width, height });
			const [grid, pictures, picture, table] = await Promise.all(
				[".wrap:has(.product)", ".gallery", ".views li", ".details table"].map((part) => edgesOf(page, part)),
			);
			expect.soft(pictures?.left).toBeCloseTo(grid?.left ?? 0, 0);
			expect.soft(pictures?.right).toBeCloseTo(picture?.right ?? 0, 0);
			expect.soft(table?.right).toBeCloseTo(grid?.right ?? 0, 0);
			const beyond = await page.locator(".wrap:has(.product)").evaluate((wrap) => {
				const { left, right } = wrap.getBoundingClientRect();
				return Array.from(wrap.querySelectorAll(":not(.views li, .views li *, dialog, dialog *)"), (element) => ({
					html: element.outerHTML.slice(0, 80),
					box: element.getBoundingClientRect(),
				})).filter(({ box }) => box.left < left - 1 || box.right > right + 1);
			});
			expect.soft(beyond).toEqual([]);
			await expect.soft(page.locator(".buy")).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
			await expect.soft(page.locator(".buy")).toHaveCSS("position", "static");
			await expect.soft(addToBasket(page)).toBeInViewport({ ratio: 1 });
			await expect.soft(page.locator(".thumbs")).toBeInViewport({ ratio: 1 });
		});
	}
});

test("in narrow windows, the heading is above the pictures, and the buttons are a bar as wide as the window", async ({
	page,
}) => {
	await page.goto(page27);
	for (const width of [320, 390, 700]) {
		await page.setViewportSize({ width, height: 640 });
		const [heading, pictures, bar] = await Promise.all(["h1", ".gallery", ".buy"].map((part) => edgesOf(page, part)));
		expect(heading?.bottom).toBeLessThan(pictures?.top ?? 0);
		expect(bar).toMatchObject({ left: 0, right: width, bottom: 640 });
		await addToBasket(page).click();
		const message = await edgesOf(page, ".toast");
		expect(message?.bottom).toBeLessThan(bar?.top ?? 0);
	}
});

const windows: [name: string, width: number, height: number, fontSize: number][] = [
	["a phone", 390, 780, 16],
	["a landscape phone", 844, 390, 16],
	["a window with text of 200 %", 1280, 720, 32],
];

test("Add to Basket is visible at every scroll position in small windows and with large text", async ({ page }) => {
	await page.goto(page27);
	await test.step("the other products are in one row of a wide window, with space for one more", async () => {
		const rows = await page.locator(".others ul").evaluate((list) => {
			list.innerHTML += list.lastElementChild?.outerHTML;
			return new Set(Array.from(list.children, (item) => item.getBoundingClientRect().top)).size;
		});
		expect(rows).toBe(1);
	});
	await test.step("the mark highlights the dot of a product's place, and no dot from the seventh product on", async () => {
		const dots = await page.locator(".product .mark").evaluate((mark) =>
			["0", "1", "2", "3", "4", "5", "6", "7"].map((place) => {
				mark.setAttribute("data-lit", place);
				return getComputedStyle(mark).backgroundPosition.split(", ")[0];
			}),
		);
		expect(new Set(dots.slice(0, 6)).size).toBe(6);
		expect(dots.slice(6)).toEqual(["200% 0px", "200% 0px"]);
	});
	await test.step("each product has a background of its own", async () => {
		const [shown, backgrounds] = await page.locator(".world").evaluate((world) => {
			const backgroundOf = () => getComputedStyle(world).backgroundImage;
			const shown = backgroundOf();
			// the gallery's pictures come first
			const names = new Set(Array.from(world.querySelectorAll(".shelf"), ({ classList }) => classList[1]));
			const backgrounds = Array.from(names, (name) => {
				world.setAttribute("class", `world ${name}`);
				return backgroundOf();
			});
			return [shown, backgrounds] as const;
		});
		expect(shown).toBe(backgrounds[0]);
		expect(new Set(backgrounds).size).toBe(products.length);
	});
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

/** Moves a finger from one horizontal position to another, in CSS pixels. */
async function swipe(page: Page, from: number, to: number): Promise<void> {
	const devtools = await page.context().newCDPSession(page);
	const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: { x: number; y: number }[]) =>
		devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
	await touch("touchStart", { x: from, y: 400 });
	await touch("touchMove", { x: (from + to) / 2, y: 400 });
	await touch("touchMove", { x: to, y: 400 });
	await touch("touchEnd");
}

function edgesOf(page: Page, selector: string) {
	return page
		.locator(selector)
		.first()
		.evaluate((element) => element.getBoundingClientRect());
}
