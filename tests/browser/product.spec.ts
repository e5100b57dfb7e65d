import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser.ts";
import { mixer, products, speaker } from "../support/catalogue.ts";
import { states } from "../support/states.ts";
import { setFontSize } from "../support/window.ts";

const productPage = `/product/${mixer.id}`;

test("the gallery shows every picture by thumbnail, swipe and arrow key, with one stop for Tab", async ({ page }) => {
	await page.goto(productPage);
	const views = page.getByRole("list", { name: "Pictures" });
	const thumbs = page.locator(".thumbs button");
	const pictures = await views.getByRole("img").all();
	await expect(thumbs).toHaveCount(pictures.length);
	const expectShown = async (shown: number) => {
		for (let index = 0; index < pictures.length; index++) {
			await expect(thumbs.nth(index)).toHaveCSS("border-top-width", index === shown ? "2px" : "0px");
		}
		await expect(views.getByRole("img").nth(shown)).toBeInViewport({ ratio: 0.9 });
	};

	await test.step("every picture has its own text alternative", async () => {
		const alts = await Promise.all(pictures.map((picture) => picture.getAttribute("alt")));
		expect(new Set(alts).size).toBe(alts.length);
		for (const alt of alts) {
			expect(alt).toMatch(/\w+ \w+ \w+/);
			await expect(views.getByRole("link", { name: `${alt} (full size)`, exact: true })).toHaveCount(1);
		}
	});

	await test.step("a thumbnail scrolls to its picture, and not the page", async () => {
		await thumbs.nth(1).click();
		await expectShown(1);
		expect(await page.evaluate(() => scrollY)).toBe(0);
	});

	await test.step("the same picture is shown after the window has been resized", async () => {
		const window = page.viewportSize() ?? { width: 1280, height: 720 };
		for (const size of [{ width: 390, height: 780 }, window]) {
			await page.setViewportSize(size);
			await expectShown(1);
		}
	});

	await test.step("a swipe selects the thumbnail, also in a page written from right to left", async () => {
		await views.evaluate((list) => list.scrollTo({ left: 0 }));
		await expectShown(0);
		await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
		await views.evaluate((list) => list.scrollTo({ left: -list.clientWidth }));
		await expectShown(1);
		await thumbs.nth(2).click();
		await expectShown(2);
		await page.evaluate(() => document.documentElement.setAttribute("dir", "ltr"));
	});

	await test.step("Tab moves from the heading to the picture that is shown, and then to Add to Basket", async () => {
		await thumbs.first().click();
		await page.getByRole("heading", { level: 1 }).evaluate((heading) => {
			heading.tabIndex = -1;
			heading.focus();
		});
		await page.keyboard.press("Tab");
		for (let index = 0; index < pictures.length; index++) {
			await expectShown(index);
			await expect(views.getByRole("link").nth(index)).toBeFocused();
			await page.keyboard.press(index + 1 < pictures.length ? "ArrowRight" : "Tab");
		}
		await expect(addToBasket(page)).toBeFocused();
		await page.keyboard.press("Shift+Tab");
		await expect(views.getByRole("link").last()).toBeFocused();
		// as a screen reader does
		await views.getByRole("link").first().focus();
		await expectShown(0);
	});

	await test.step("the page of another product starts with its first picture", async () => {
		await thumbs.nth(1).click();
		await expectShown(1);
		await page.locator(".others").getByRole("link", { name: speaker.title }).click();
		await expect(page.getByRole("heading", { level: 1, name: speaker.title })).toBeFocused();
		await expectShown(0);
	});
});

test("a picture opens in a dialog of the window's size, and each way to close it leads back", async ({ page }) => {
	await page.goto("/");
	await page.getByRole("link", { name: `More Info: ${mixer.title}` }).click();
	const dialog = page.getByRole("dialog", { name: mixer.title });
	const links = page.locator(".views a");
	await expect(page.getByRole("heading", { level: 1, name: mixer.title })).toBeFocused();
	const count = await links.count();
	const loaded: string[] = [];
	page.on("request", (request) => request.url().includes(".data") && loaded.push(request.url()));
	const expectShown = async (place: number) => {
		const picture = dialog.getByRole("img").nth(place - 1);
		await expect(dialog).toContainText(`${place} of ${count}. ${await picture.getAttribute("alt")}`);
		await expect(picture).toBeInViewport({ ratio: 0.99 });
	};
	const expectClosed = async (place: number) => {
		await expect(dialog).toBeHidden();
		await expect(page).toHaveURL(productPage);
		await expect(links.nth(place - 1)).toBeFocused();
		await expect(links.nth(place - 1)).toBeInViewport({ ratio: 0.9 });
	};

	await test.step("the arrow keys and the buttons turn to the other pictures, and the page does not scroll", async () => {
		await links.first().click();
		await expect(page).toHaveURL(`${productPage}#picture-1`);
		await expectShown(1);
		await page.keyboard.press("ArrowRight");
		await expectShown(2);
		await dialog.getByRole("button", { name: "Next" }).click();
		await expectShown(3);
		await dialog.getByRole("button", { name: "Previous" }).click();
		await expectShown(2);
		await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
		await expectShown(2);
		await page.keyboard.press("ArrowRight");
		await expectShown(1);
		await page.keyboard.press("ArrowRight");
		await expectShown(count);
		await page.keyboard.press("ArrowLeft");
		await expectShown(1);
		await page.evaluate(() => document.documentElement.setAttribute("dir", "ltr"));
		await dialog.getByRole("list").evaluate((list) => list.scrollTo({ left: list.clientWidth }));
		await expectShown(2);
		await page.mouse.wheel(0, 500);
		await expect(page.locator(":root")).toHaveCSS("overflow-y", "hidden");
		expect(await page.evaluate(() => scrollY)).toBe(0);
	});
	await test.step("Escape", async () => {
		await page.keyboard.press("Escape");
		await expectClosed(2);
	});
	await test.step("Forward opens it again, and Back closes it", async () => {
		await page.goForward();
		await expectShown(1);
		await page.goBack();
		await expectClosed(1);
	});
	await test.step("a press beside the picture, but not on it", async () => {
		await page.keyboard.press("Enter");
		await dialog.getByRole("img").first().click();
		await expectShown(1);
		await dialog.click({ position: { x: 20, y: 20 } });
		await expectClosed(1);
	});
	await test.step("Close", async () => {
		await links.first().click();
		await dialog.getByRole("button", { name: "Close" }).click();
		await expectClosed(1);
	});
	await test.step("Close after a reload", async () => {
		await links.first().click();
		await expectShown(1);
		await page.reload();
		await expectShown(1);
		await dialog.getByRole("button", { name: "Close" }).click();
		await expectClosed(1);
	});
	expect(loaded).toEqual([]);
	await test.step("then, one Back leaves the page", async () => {
		await page.goBack();
		await expect(page).toHaveURL("/");
	});
});

test("a link to a picture opens it, and closing it keeps the query and the entry before it", async ({ page }) => {
	await page.goto("/orders");
	await page.goto(`${productPage}?ref=friend#picture-2`);
	const dialog = page.getByRole("dialog", { name: mixer.title });
	await expect(dialog).toContainText("2 of ");
	await page.keyboard.press("Escape");
	await expect(dialog).toBeHidden();
	await expect(page).toHaveURL(`${productPage}?ref=friend`);
	await page.locator(".views a").nth(1).press("Enter");
	await expect(page).toHaveURL(`${productPage}?ref=friend#picture-2`);
	await expect(dialog).toContainText("2 of ");
	await page.goBack();
	await expect(dialog).toBeHidden();
	await page.goBack();
	await expect(page).toHaveURL("/orders");
});

test("a new tab shows a picture's largest file", async ({ page }) => {
	await page.goto(productPage);
	const opened = page.context().waitForEvent("page");
	const picture = page.locator(".views a").first();
	await picture.click({ modifiers: ["ControlOrMeta"] });
	const file = await opened;
	await file.waitForURL(/\.webp$/);
	expect((await page.request.get(file.url())).headers()["content-type"]).toBe("image/webp");
	await expect(file.getByRole("img")).toHaveJSProperty("naturalWidth", 1280);
	await expect(page).toHaveURL(productPage);
});

test("in wide windows, the product's edges are those of the page's grid, without a bar", async ({ page }) => {
	await page.goto(productPage);
	for (const [width, height] of [
		...[[1024, 600] as const, [1280, 720] as const, [1366, 625] as const, [1366, 768] as const],
		...[[1536, 730] as const, [1920, 1080] as const, [2560, 1440] as const],
	]) {
		await test.step(`${width} × ${height}`, async () => {
			await page.setViewportSize({ width, height });
			const [grid, pictures, picture, table] = await Promise.all(
				[".wrap:has(.product)", ".gallery", ".views li", ".details dl"].map((part) => edgesOf(page, part)),
			);
			expect.soft(pictures?.left).toBeCloseTo(grid?.left ?? 0, 0);
			expect.soft(pictures?.right).toBeCloseTo(picture?.right ?? 0, 0);
			expect.soft(table?.right).toBeCloseTo(grid?.right ?? 0, 0);
			const [name, value] = await Promise.all([".details dt", ".details dd"].map((part) => edgesOf(page, part)));
			expect.soft(value?.left).toBeLessThan((name?.left ?? 0) + 200);
			const beyond = await page.locator(".wrap:has(.product)").evaluate((wrap) => {
				const { left, right } = wrap.getBoundingClientRect();
				return Array.from(wrap.querySelectorAll(":not(.views li, .views li *)"), (element) => ({
					html: element.outerHTML.slice(0, 80),
					box: element.getBoundingClientRect(),
				})).filter(({ box }) => box.width > 0 && (box.left < left - 1 || box.right > right + 1));
			});
			expect.soft(beyond).toEqual([]);
			await expect.soft(page.locator(".buy")).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
			await expect.soft(page.locator(".buy")).toHaveCSS("position", "static");
			await expect.soft(addToBasket(page)).toBeInViewport({ ratio: 1 });
			await expect.soft(page.locator(".thumbs")).toBeInViewport({ ratio: 1 });
		});
	}
});

test("each product's page says why the shop chose it, if its details do", async ({ page, shop }) => {
	const { results } = await shop.d1.prepare("select id, details ->> 'chosen' as chosen from products").all();
	for (const { id, chosen } of results) {
		await page.goto(`/product/${id}`);
		await expect(page.locator(".chosen")).toHaveText(chosen === null ? [] : [`Why we chose it${chosen}`]);
	}
	const remove = "update products set details = json_remove(details, '$.chosen') where id = ?";
	const { details } = (await shop.d1.prepare("select details from products where id = ?").bind(mixer.id).first()) ?? {};
	await shop.d1.prepare(remove).bind(mixer.id).run();
	await shop.advance(70);
	await page.goto(productPage);
	await expect(page.locator(".chosen")).toHaveCount(0);
	await shop.d1.prepare("update products set details = ? where id = ?").bind(details, mixer.id).run();
	await shop.advance(70);
});

test("Add to Basket is visible at every scroll position in small windows and with large text", async ({ page }) => {
	await page.goto(productPage);
	for (const width of [320, 390, 700]) {
		await test.step(`at ${width} px, the heading is above the pictures, and the buttons are a bar as wide as the window`, async () => {
			await page.setViewportSize({ width, height: 640 });
			const [heading, pictures, bar] = await Promise.all(["h1", ".gallery", ".buy"].map((part) => edgesOf(page, part)));
			expect(heading?.bottom).toBeLessThan(pictures?.top ?? 0);
			expect(bar).toMatchObject({ left: 0, right: width, bottom: 640 });
			await addToBasket(page).click();
			const message = await edgesOf(page, ".toast");
			expect(message?.bottom).toBeLessThan(bar?.top ?? 0);
		});
	}
	await page.setViewportSize({ width: 1280, height: 720 });
	await test.step("up to seven other products are in one row of a wide window", async () => {
		if (products.length > 8) return;
		const rows = await page.locator(".others ul").evaluate((list) => {
			while (list.children.length < 7) list.innerHTML += list.lastElementChild?.outerHTML;
			return new Set(Array.from(list.querySelectorAll("a"), (item) => item.getBoundingClientRect().top)).size;
		});
		expect(rows).toBe(1);
	});
	await test.step("the mark highlights another dot for each place", async () => {
		const dots = await page.locator(".product .mark").evaluate((mark) =>
			["0", "1", "2", "3", "4", "5"].map((place) => {
				mark.setAttribute("data-lit", place);
				return getComputedStyle(mark).backgroundPosition.split(", ")[0];
			}),
		);
		expect(new Set(dots).size).toBe(6);
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
	for (const [name, width, height, standard] of [
		...[["a phone", 390, 780, 16] as const, ["a landscape phone", 844, 390, 16] as const],
		["a window with text of 200 %", 1280, 720, 32] as const,
	]) {
		await test.step(name, async () => {
			await setFontSize(page, standard);
			await page.setViewportSize({ width, height });
			const end = await page.evaluate(() => {
				const product = document.querySelector(".product")?.getBoundingClientRect();
				return (product?.bottom ?? 0) + scrollY - innerHeight;
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

test("a product that is sold out says so on its card and page, and cannot be added", async ({ page, shop }) => {
	for (const name of ["home-sold-out", "product-sold-out"]) {
		await states[name]?.(page, shop);
		const button = page.getByRole("button", { name: `Add to Basket: ${mixer.title}, sold out`, exact: true });
		await expect(page.locator(":is(article, .product)").filter({ has: button })).toContainText("Sold out");
		await expect(button).toHaveAttribute("aria-disabled", "true");
		await button.click({ force: true });
		await expect(page.getByRole("status").filter({ hasText: `${mixer.title} is sold out.` })).toBeVisible();
		await expect(page.getByRole("link", { name: "Basket, 0 items" })).toBeVisible();
	}
	const data = page.locator('script[type="application/ld+json"]');
	expect(await data.textContent()).toContain("https://schema.org/SoldOut");
	await page.goto(`/product/${speaker.id}`);
	await expect(page.getByText("Sold out")).toHaveCount(0);
});

function addToBasket(page: Page) {
	return page.getByRole("button", { name: "Add to Basket" });
}

function edgesOf(page: Page, selector: string) {
	const element = page.locator(selector).first();
	return element.evaluate((element) => element.getBoundingClientRect());
}
