import type { Locator, Page } from "@playwright/test";
import { homeHeading, logo, shopAll } from "#app/brand.ts";
import {
	addToBasket,
	cardField,
	declinedCard,
	expect,
	follow,
	goodCard,
	hasFocus,
	tabTo,
	test,
} from "../support/browser.ts";
import { book, mixer, speaker } from "../support/catalogue.ts";

// with the animations that a shopper sees
test.use({ contextOptions: { reducedMotion: "no-preference" } });

async function press(page: Page, target: Locator): Promise<void> {
	await expect(target).toBeEnabled();
	await tabTo(page, target);
	await page.keyboard.press("Enter");
}

test("with only the keyboard, a shopper signs up, retries a card and buys", async ({ page, expectWarning }) => {
	expectWarning("402 /stripe-emulator/v1/payment_intents/");
	await page.goto("/");
	await test.step("the first Tab reaches a link that skips the header", async () => {
		await page.keyboard.press("Tab");
		const skip = page.getByRole("link", { name: "Skip to content" });
		await expect(skip).toBeFocused();
		await expect(skip).toBeInViewport({ ratio: 1 });
		await page.keyboard.press("Enter");
		await expect(page.getByRole("main")).toBeFocused();
		await page.keyboard.press("Tab");
		await expect(page.getByRole("link", { name: "More Info" }).first()).toBeFocused();
	});
	// Tab wraps around to the header
	await press(page, page.getByRole("link", { name: "Sign In" }));
	await expect(page.getByRole("heading", { name: "Sign In" })).toBeFocused();
	await tabTo(page, page.getByLabel("Email"));
	await page.keyboard.type(`keyboard-${crypto.randomUUID()}@example.com`);
	await tabTo(page, page.getByLabel("Password"));
	await page.keyboard.type("correct horse battery");
	await press(page, page.getByRole("button", { name: "Create account" }));
	await expect(page.getByRole("heading", { name: homeHeading })).toBeFocused();

	await press(page, page.getByRole("link", { name: `More Info: ${speaker.title}` }));
	await expect(page.getByRole("heading", { name: speaker.title })).toBeFocused();
	await press(page, page.getByRole("button", { name: `Add to Basket: ${speaker.title}` }));
	await expect(page.getByRole("status")).toContainText(`Added to basket: ${speaker.title}`);
	await press(page, page.getByRole("link", { name: "Basket, 1 item" }));
	await press(page, page.getByRole("link", { name: "Proceed to Checkout" }));
	await expect(page.getByRole("heading", { name: "Checkout (1 item)" })).toBeFocused();

	await tabTo(page, cardField(page, "cardnumber"));
	await page.keyboard.type(declinedCard);
	await tabTo(page, cardField(page, "exp-date"));
	await page.keyboard.type("1234");
	await tabTo(page, cardField(page, "cvc"));
	await page.keyboard.type("123");
	const buyNow = page.getByRole("button", { name: "Buy Now" });
	await press(page, buyNow);
	await expect(page.getByText("Your card was declined.")).toBeVisible();
	await expect(buyNow).toBeFocused();

	await tabTo(page, cardField(page, "cardnumber"), () => page.keyboard.press("Shift+Tab"));
	await page.keyboard.press("ControlOrMeta+A");
	await page.keyboard.type(goodCard);
	await press(page, buyNow);
	await expect(page.getByRole("heading", { name: "Your Orders" })).toBeFocused();
	await expect(page.getByRole("article")).toContainText(speaker.title);
});

test("removing a line item focuses another one or, if none is left, the link to the catalog", async ({ page }) => {
	const remove = (title: string) => page.getByRole("button", { name: `Remove from Basket: ${title}` });
	await page.goto("/");
	for (const { title } of [book, mixer, speaker]) await addToBasket(page, title);
	await follow(page, "Basket, 3 items");
	await page.getByRole("heading", { name: "Your basket" }).waitFor();
	await remove(book.title).press("Enter");
	await expect(remove(mixer.title)).toBeFocused();
	await page.goBack();
	await addToBasket(page, book.title);
	await follow(page, "Basket, 3 items");
	await remove(speaker.title).focus();
	// for half a second after a removal, Enter removes nothing
	for (const [target, left] of [
		[remove(book.title), 2],
		[remove(mixer.title), 1],
		[page.getByRole("link", { name: shopAll }), 0],
	] as const) {
		await expect
			.poll(async () => {
				const rows = page.getByRole("main").getByRole("listitem");
				if ((await rows.count()) > left) await page.keyboard.press("Enter");
				return rows.count();
			})
			.toBe(left);
		await expect(target).toBeFocused();
	}
});

test("on a phone, the header's second row stays in the window", async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 900 });
	await page.goto("/checkout");
	await follow(page, logo);
	await expect(page.getByRole("heading", { name: homeHeading })).toBeFocused();
	await page.evaluate(() => scrollTo({ top: 900, behavior: "instant" }));
	for (const name of ["Sign In", "Returns & Orders", "Basket, 0 items"]) {
		await expect(page.getByRole("link", { name }), name).toBeInViewport({ ratio: 1 });
	}
	await expect.poll(() => isHeader(page)).toBe(false);
	await test.step("the first row appears while it contains the focus", async () => {
		await page.getByRole("searchbox").focus();
		await expect.poll(() => isHeader(page)).toBe(true);
		await page.getByRole("searchbox").blur();
		await page.evaluate(() => scrollTo({ top: 900, behavior: "instant" }));
		await expect.poll(() => isHeader(page)).toBe(false);
	});
	await test.step("a page that cannot scroll shows the whole header", async () => {
		await page.goBack();
		await expect(page.getByRole("heading", { name: "Your basket" })).toBeVisible();
		await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
		await expect.poll(() => isHeader(page)).toBe(true);
	});
});

/** Whether both rows of the header are in the window. */
function isHeader(page: Page): Promise<boolean> {
	return page.evaluate(() => Boolean(document.elementFromPoint(100, 80)?.closest("header")));
}

test("the focus is visible on each of the gallery's pictures, in both themes", async ({ page }) => {
	await page.emulateMedia({ reducedMotion: "reduce" });
	await page.goto(`/product/${mixer.id}`);
	for (const [theme, place] of [
		...[["light", 0] as const, ["light", 1] as const],
		...[["dark", 0] as const, ["dark", 1] as const],
	]) {
		await page.emulateMedia({ colorScheme: theme });
		const target = page.locator(".views a").nth(place);
		await tabTo(page, target);
		const pictures = page.locator(".thumbs img, .views :focus img");
		await pictures.evaluateAll((images) =>
			Promise.all(
				images.map((image) => image instanceof HTMLImageElement && image.checkVisibility() && image.decode()),
			),
		);
		const focused = await countFocusPixels(page);
		const { width, height } = (await target.boundingBox()) ?? { width: 0, height: 0 };
		await target.blur();
		// as large as a ring of 2 px, by WCAG 2.2, 2.4.13
		expect
			.soft(focused - (await countFocusPixels(page)), String(target))
			.toBeGreaterThan(2 * 2 * (width + height - 20));
	}
});

/** Counts the pixels of the window that have the color of the focus ring. */
async function countFocusPixels(page: Page): Promise<number> {
	const picture = await page.screenshot();
	return page.evaluate(async (picture) => {
		const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(picture), (char) => char.charCodeAt(0))]));
		const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d", { willReadFrequently: true });
		if (!canvas) throw new Error("The canvas has no context.");
		canvas.drawImage(bitmap, 0, 0);
		const pixels = new Uint32Array(canvas.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
		document.body.style.outlineColor = "var(--focus)";
		canvas.fillStyle = getComputedStyle(document.body).outlineColor;
		canvas.fillRect(0, 0, 1, 1);
		const [ring] = new Uint32Array(canvas.getImageData(0, 0, 1, 1).data.buffer);
		return pixels.filter((pixel) => pixel === ring).length;
	}, picture.toString("base64"));
}

test("in a window of 320 × 256 px (400 % zoom), each focused element of a purchase is visible", async ({ page }) => {
	await page.setViewportSize({ width: 320, height: 256 });
	const next = async () => {
		await page.keyboard.press("Tab");
		await expect.poll(() => visiblePart(page), await describeFocus(page)).toBeGreaterThan(0.3);
	};
	/** Presses Tab at least once, until `target` has focus. Each focused element must be visible. */
	const step = async (target: Locator) => {
		await next();
		await tabTo(page, target, next);
	};
	const enter = async (target: Locator) => {
		await expect(target).toBeEnabled();
		await step(target);
		await page.keyboard.press("Enter");
	};
	await page.goto("/");
	const expectUncovered = async (button: Locator) => {
		await expect(page.locator(".toast")).toBeVisible();
		await expect(button).toBeFocused();
		expect(await visiblePart(page), "the button above its message").toBeGreaterThan(0.9);
	};
	await enter(page.getByRole("button", { name: `Add to Basket: ${mixer.title}` }));
	await expectUncovered(page.getByRole("button", { name: `Add to Basket: ${mixer.title}` }));
	// the message's controls, and what comes after it
	for (let presses = 0; presses < 8; presses++) await next();
	await page.keyboard.press("Escape");
	await page.goto(`/product/${speaker.id}`);
	await enter(page.getByRole("button", { name: "Add to Basket" }));
	await expectUncovered(page.getByRole("button", { name: "Add to Basket" }));
	for (const [link, heading] of [
		["View basket", "Your basket"],
		["Proceed to Checkout", "Checkout (1 item)"],
	] as const) {
		await enter(page.getByRole("link", { name: link }));
		await expect(page.getByRole("heading", { name: heading })).toBeFocused();
		await expect.poll(() => visiblePart(page), heading).toBeGreaterThan(0.3);
	}
	await step(cardField(page, "cardnumber"));
	await page.keyboard.type(goodCard);
	await step(cardField(page, "exp-date"));
	await page.keyboard.type("1234");
	await step(cardField(page, "cvc"));
	await page.keyboard.type("123");
	await enter(page.getByRole("button", { name: "Buy Now" }));
	await expect(page.getByRole("heading", { name: "Your Orders" })).toBeFocused();
	await expect.poll(() => visiblePart(page), "the receipt").toBeGreaterThan(0.3);
	for (let presses = 0; presses < 12; presses++) await next();
});

test("a message closes when the focus leaves it, so that nothing focused is behind it", async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 780 });
	await page.goto("/");
	for (const { title } of [book, mixer, speaker, book, mixer, speaker, book]) await addToBasket(page, title);
	await follow(page, "Basket, 7 items");
	await page.getByRole("button", { name: "Remove from Basket" }).first().press("Enter");
	await page.locator(".toast").evaluate((message) => {
		for (const animation of message.getAnimations()) animation.pause();
	});
	await tabTo(page, page.getByRole("link", { name: "Proceed to Checkout" }), async () => {
		await page.keyboard.press("Tab");
		await expect.poll(() => visiblePart(page), await describeFocus(page)).toBeGreaterThan(0.9);
	});
	await expect(page.locator(".toast")).toHaveCount(0);
});

test("in a window of 320 × 256 px, a field of the sign-in form is visible with its label, in both directions", async ({
	page,
}) => {
	await page.setViewportSize({ width: 320, height: 256 });
	await page.goto("/login");
	const fields = [page.getByLabel("Email"), page.getByLabel("Password")];
	for (const [key, target] of [
		["Tab", page.getByRole("link", { name: "Continue as a guest" })],
		["Shift+Tab", page.getByRole("link", { name: logo })],
	] as const) {
		await tabTo(page, target, async () => {
			await page.keyboard.press(key);
			for (const field of fields) {
				if (!(await hasFocus(field))) continue;
				await expect(field).toBeInViewport({ ratio: 1 });
				const label = field.locator("xpath=..");
				expect((await label.boundingBox())?.y, `${key} to ${await label.textContent()}`).toBeGreaterThanOrEqual(0);
			}
		});
	}
});

function describeFocus(page: Page): Promise<string> {
	return page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120) ?? "");
}

/** Returns which part of the focused element, or of the window if the element is larger, is visible and not covered. */
function visiblePart(page: Page): Promise<number> {
	return page.evaluate(() => {
		const focused = document.activeElement ?? document.body;
		const { left, top, width, height } = focused.getBoundingClientRect();
		const steps = [1, 3, 5, 7, 9].map((tenth) => tenth / 10);
		const points = steps.flatMap((x) => steps.map((y) => [left + x * width, top + y * height] as const));
		const seen = points.filter(([x, y]) => {
			const found = document.elementFromPoint(x, y);
			return found && (focused.contains(found) || found.contains(focused));
		});
		return (seen.length / points.length) * Math.max(1, height / innerHeight);
	});
}
