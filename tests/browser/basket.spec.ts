import { homeHeading, searchDescription, shopAll } from "#app/brand.ts";
import { expect, test } from "../support/browser.ts";
import { book, mixer, speaker } from "../support/catalogue.ts";
import { fillBasket } from "../support/shopper.ts";
import { setFontSize } from "../support/window.ts";

test("Add to Basket announces the item and shows a message with Undo", async ({ page }) => {
	await page.goto("/");
	const add = page.getByRole("button", { name: `Add to Basket: ${book.title}` });
	const undo = page.getByRole("button", { name: "Undo" });
	const status = page.getByRole("status");
	const basket = (items: string) => page.getByRole("link", { name: `Basket, ${items}` });
	await add.click();
	await expect(add).toContainText("Added");
	await test.step("the button's label is back after 1.8 seconds", async () => {
		const times = await add.locator(".added").evaluate((added) => {
			const { delay, endTime } = added.getAnimations()[0]?.effect?.getComputedTiming() ?? {};
			return { delay, endTime };
		});
		expect(times).toEqual({ delay: 1500, endTime: 1800 });
	});
	await expect(status).toContainText(`Added to basket: ${book.title}`);
	const shelf = page.getByRole("article").filter({ hasText: book.title }).locator(".shelf").first();
	await expect(page.locator(".toast .shelf")).toHaveClass((await shelf.getAttribute("class")) ?? "");
	await test.step("the message is not printed", async () => {
		await page.emulateMedia({ media: "print" });
		await expect(undo).toBeHidden();
		await page.emulateMedia({ media: "screen" });
	});
	await test.step("Tab reaches the message from the button", async () => {
		await page.keyboard.press("Tab");
		await expect(page.getByRole("link", { name: "View basket" })).toBeFocused();
		await page.keyboard.press("Tab");
		await expect(undo).toBeFocused();
	});
	await test.step("Undo removes the last item", async () => {
		await undo.click();
		await expect(add).toBeFocused();
		await expect(basket("0 items")).toBeVisible();
		await expect(status).toContainText("0 items in your basket");
		await expect(undo).toBeHidden();
		await add.click();
		await add.click();
		await undo.click();
		await expect(basket("1 item")).toBeVisible();
	});
	await test.step("navigation closes the message", async () => {
		await add.click();
		await page.getByRole("link", { name: "View basket" }).click();
		await expect(page.getByRole("heading", { name: "Your basket" })).toBeFocused();
		await expect(page.locator(".toast")).toHaveCount(0);
		await page.getByRole("button", { name: "Remove from Basket" }).first().click();
		await expect(status).toContainText("1 item in your basket. Undo comes next.");
		await page.goBack();
		await expect(page.getByRole("heading", { name: homeHeading })).toBeFocused();
		await expect(page.locator(".toast")).toHaveCount(0);
	});

	await test.step("Enter in the search box keeps the page and the basket", async () => {
		const hint = page.getByText(searchDescription);
		await page.getByRole("searchbox").focus();
		await expect(hint).toBeHidden();
		await page.getByRole("searchbox").fill("mixer");
		await expect(hint).toBeVisible();
		const initial = page.viewportSize() ?? { width: 1280, height: 720 };
		await page.setViewportSize({ width: 390, height: 659 });
		const { y, height } = (await hint.boundingBox()) ?? { y: 0, height: Number.NaN };
		const heading = await page.getByRole("heading", { name: homeHeading }).boundingBox();
		expect(heading?.y, "the hint covers the heading of a phone").toBeGreaterThanOrEqual(y + height);
		await page.setViewportSize(initial);
		await page.getByRole("searchbox").press("Enter");
		await expect(page).toHaveURL("/");
		await expect(page.getByRole("searchbox")).toHaveValue("mixer");
		await expect(basket("1 item")).toBeVisible();
	});
	await test.step("200 items fill the basket", async () => {
		await add.evaluate((button: HTMLElement) => Array.from({ length: 200 }, () => button.click()));
		const full = status.getByText("Your basket is full. It holds up to 200 items.");
		// screen readers announce what is added to a live region
		const announced = await full.elementHandle();
		await add.click();
		await expect.poll(() => announced?.evaluate(({ isConnected }) => isConnected)).toBe(false);
		await expect(full).toBeVisible();
		await expect(basket("200 items")).toBeVisible();
	});
	await test.step("a click on a picture opens its product", async () => {
		// the link covers the picture, so Playwright's actionability check would never pass
		const picture = page.getByRole("article").filter({ hasText: speaker.title }).locator("img");
		await picture.click({ force: true, position: { x: 20, y: 250 } });
		await expect(page.getByRole("heading", { level: 1, name: speaker.title })).toBeFocused();
		await expect(basket("200 items")).toBeVisible();
	});
});

test("a message closes by its button, by Escape or automatically, and is no landmark", async ({ page }) => {
	await page.goto("/");
	const add = page.getByRole("button", { name: `Add to Basket: ${speaker.title}` });
	const toast = page.getByRole("group", { name: "Message" });
	await expect(page.getByRole("region")).toHaveCount(0);
	await add.click();
	await expect(page.getByRole("status")).toHaveText(
		`Added to basket: ${speaker.title}. 1 item in your basket. View basket and Undo come next.`,
	);
	await expect(page.getByRole("region")).toHaveCount(0);
	await toast.getByRole("button", { name: "Close message" }).click();
	await expect(toast).toBeHidden();
	await expect(add).toBeFocused();
	await test.step("its button does not scroll back to the button that caused it", async () => {
		await add.click();
		await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
		await toast.getByRole("button", { name: "Close message" }).click();
		await expect(add).toBeFocused();
		await expect(add).not.toBeInViewport();
	});
	await page.keyboard.press("Enter");
	await page.keyboard.press("Tab");
	await page.keyboard.press("Escape");
	await expect(toast).toBeHidden();
	await expect(add).toBeFocused();
	await page.keyboard.press("Enter");
	/** Returns the state of the animation that closes the message, and its end, in ms. Ends it at once if requested. */
	const passing = (mustEnd = false) =>
		toast.evaluate((toast, mustEnd) => {
			const animations = toast.getAnimations();
			const passing = animations.find((animation) => Reflect.get(animation, "animationName") === "passing");
			const { delay, endTime } = passing?.effect?.getComputedTiming() ?? {};
			const state = passing?.playState;
			if (mustEnd) passing?.finish();
			return { state, delay, endTime };
		}, mustEnd);
	await test.step("under a resting pointer, it fades after 5.5 seconds and closes after six", async () => {
		await toast.hover();
		expect(await passing(true)).toEqual({ state: "running", delay: 5500, endTime: 6000 });
		await expect(page.locator(".toast")).toHaveCount(0);
	});
	await test.step("it stays while it contains the focus", async () => {
		await page.keyboard.press("Enter");
		await page.keyboard.press("Tab");
		await expect.poll(() => passing()).toMatchObject({ state: "paused" });
	});
});

test("a removal can be undone, and a double tap removes one item", async ({ page }) => {
	const rows = page.getByRole("main").getByRole("listitem");
	const remove = (title: string) => page.getByRole("button", { name: `Remove from Basket: ${title}` });
	const undo = page.getByRole("button", { name: "Undo" });
	await fillBasket(page, book.title, mixer.title, speaker.title);
	await test.step("the second tap of a double tap does not reach the next item's button", async () => {
		const { x, y } = (await remove(book.title).boundingBox()) ?? { x: 0, y: 0 };
		await page.mouse.dblclick(x + 5, y + 5);
		await expect(page.getByRole("status")).toHaveText(
			`Removed from basket: ${book.title}. 2 items in your basket. Undo comes next.`,
		);
		await expect(rows).toHaveCount(2);
	});
	await test.step("Undo is next to the button that has taken the place, and puts the item back there", async () => {
		await expect(remove(mixer.title)).toBeFocused();
		await page.keyboard.press("Tab");
		await expect(undo).toBeFocused();
		await page.keyboard.press("Enter");
		await expect(remove(book.title)).toBeFocused();
		await expect(rows).toHaveCount(3);
		await expect(rows.first()).toContainText(book.title);
		await expect(page.getByRole("status")).toHaveText(`Added to basket: ${book.title}. 3 items in your basket.`);
	});
	await test.step("Enter on the last item's button removes it and focuses the one above or, at the end, a link", async () => {
		await remove(speaker.title).focus();
		// for half a second after a removal, Enter removes nothing
		for (const [target, left] of [
			[remove(mixer.title), 2],
			[remove(book.title), 1],
			[page.getByRole("link", { name: shopAll }), 0],
		] as const) {
			await expect
				.poll(async () => {
					if ((await rows.count()) > left) await page.keyboard.press("Enter");
					return rows.count();
				})
				.toBe(left);
			await expect(target).toBeFocused();
		}
	});
	await test.step("Undo brings the last item back", async () => {
		await undo.click();
		await expect(rows).toHaveCount(1);
		await expect(page.getByRole("main")).toBeFocused();
	});
});

test("a message does not cover its button, so that the button can be pressed again", async ({ page }) => {
	const add = page.getByRole("button", { name: `Add to Basket: ${book.title}` });
	const message = page.locator(".toast");
	for (const [width, height] of [[360, 647] as const, [390, 844] as const, [844, 340] as const, [1366, 625] as const]) {
		await page.setViewportSize({ width, height });
		await page.goto("/");
		let added = 0;
		for (const block of ["end", "start"] as const) {
			await add.evaluate((button, block) => button.scrollIntoView({ block, behavior: "instant" }), block);
			// some pages have a sticky header
			if (block === "start") await page.evaluate(() => scrollBy({ top: -90, behavior: "instant" }));
			const box = (await add.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
			await page.mouse.dblclick(box.x + 10, box.y + 10);
			added += 2;
			await expect(page.getByRole("link", { name: `Basket, ${added} items` })).toBeVisible();
			await message.hover();
			const its = (await message.boundingBox()) ?? { y: 0, height: 0 };
			const isApart = its.y + its.height <= box.y || its.y >= box.y + box.height;
			expect(isApart, `${width} × ${height}, the button at the ${block}`).toBe(true);
			await page.getByRole("button", { name: "Close message" }).click();
		}
	}
});

test("a message at the top of a phone's window is below the header", async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 659 });
	await fillBasket(page, book.title, mixer.title, speaker.title);
	await page.getByRole("button", { name: `Remove from Basket: ${speaker.title}` }).click();
	await page.locator(".toast").hover();
	const above = await page.locator(".toast").boundingBox();
	const header = await page.getByRole("banner").boundingBox();
	expect(header?.y).toBe(0);
	expect(above?.y).toBeLessThan(659 / 2);
	expect(above?.y).toBeGreaterThanOrEqual((header?.height ?? 0) + 8);
});

test("an empty list's link to the products is in the first window, and no bar covers it", async ({ page }) => {
	for (const path of ["/checkout", "/payment", "/orders"]) {
		await page.goto(path);
		const link = page.getByRole("main").getByRole("link", { name: shopAll });
		for (const [width, height] of [
			...[[320, 568] as const, [390, 659] as const, [844, 390] as const],
			...[[768, 1024] as const, [1366, 625] as const, [1920, 1080] as const],
		]) {
			await page.setViewportSize({ width, height });
			const isVisible = await link.evaluate((link) => {
				const { left, top, width, height } = link.getBoundingClientRect();
				const at = (y: number) => link.contains(document.elementFromPoint(left + width / 2, y));
				return at(top + 2) && at(top + height - 2);
			});
			expect(isVisible, `${path} at ${width} × ${height}`).toBe(true);
		}
	}
});

test("with text of 200 %, the bar of the basket reaches both edges of a wide window", async ({ page }) => {
	await setFontSize(page, 32);
	await page.setViewportSize({ width: 1366, height: 900 });
	await fillBasket(page, speaker.title);
	await expect(page.getByRole("link", { name: "Proceed to Checkout" })).toBeVisible();
	const edges = await page.locator(".buy").evaluate((bar) => {
		const { left, right } = bar.getBoundingClientRect();
		return [left, document.documentElement.clientWidth - right].map(Math.round);
	});
	expect(edges).toEqual([0, 0]);
});
