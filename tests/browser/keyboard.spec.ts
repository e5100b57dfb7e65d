import type { Locator, Page } from "@playwright/test";
import { homeHeading, logo } from "#app/brand.ts";
import { formatMoney } from "#app/ui/money.ts";
import { expect, test } from "../support/browser.ts";
import { cardField, declinedCard, goodCard } from "../support/card.ts";
import { book, mixer, speaker } from "../support/catalogue.ts";
import { fillBasket, follow } from "../support/shopper.ts";
import { hasFocus, tabTo } from "../support/window.ts";

// with the animations that a shopper sees
test.use({ contextOptions: { reducedMotion: "no-preference" } });

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
		await page.keyboard.press("Tab");
		await page.getByRole("link", { name: logo }).focus();
		await expect.poll(() => isHeader(page)).toBe(true);
		await page.getByRole("link", { name: logo }).blur();
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
	for (const [colorScheme, place] of [
		...[["light", 0] as const, ["light", 1] as const],
		...[["dark", 0] as const, ["dark", 1] as const],
	]) {
		await page.emulateMedia({ colorScheme });
		await page.locator(".thumbs button").nth(place).click();
		await page.keyboard.press("Shift+Tab");
		const target = page.locator(".views a").nth(place);
		await tabTo(page, target);
		const pictures = page.locator(".thumbs img, .views :focus img").filter({ visible: true });
		await pictures.evaluateAll((images: HTMLImageElement[]) => Promise.all(images.map((image) => image.decode())));
		const focused = await countFocusPixels(page);
		const { width, height } = (await target.boundingBox()) ?? { width: 0, height: 0 };
		await target.blur();
		const ring = focused - (await countFocusPixels(page));
		// as large as a ring of 2 px, by WCAG 2.2, 2.4.13
		expect.soft(ring, String(target)).toBeGreaterThan(2 * 2 * (width + height - 20));
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

/** Records what the page's live regions announce, from the next document on. Returns a function that lists it. */
async function recordAnnouncements(page: Page): Promise<() => Promise<string[]>> {
	await page.addInitScript(() => {
		const announced: string[] = [];
		const last = new Map<Element, string>();
		Object.assign(window, { announced });
		new MutationObserver(() => {
			for (const region of document.querySelectorAll<HTMLElement>("[role=status], [role=alert], [aria-live]")) {
				// biome-ignore lint/performance/useDomNodeTextContent: textContent joins the words of adjacent blocks
				const text = region.innerText.replaceAll(/\s+/g, " ").trim();
				if (text !== "" && text !== last.get(region)) announced.push(text);
				last.set(region, text);
			}
		}).observe(document, { subtree: true, childList: true, characterData: true });
	});
	return () => page.evaluate(() => Reflect.get(window, "announced"));
}

test("at 320 × 256 px (400 % zoom), a shopper signs up and buys with the keyboard", async ({ page, expectWarning }) => {
	expectWarning("402 /stripe-emulator/v1/payment_intents/");
	await page.setViewportSize({ width: 320, height: 256 });
	const announced = await recordAnnouncements(page);
	const link = (name: string) => page.getByRole("link", { name }).first();
	const button = (name: string) => page.getByRole("button", { name });
	/** Presses Tab. The focused element must be visible. */
	const next = async (key = "Tab") => {
		await page.keyboard.press(key);
		await expect.poll(() => visiblePart(page), await describeFocus(page)).toBeGreaterThan(0.3);
	};
	/** Presses the key at least once, until `target` has focus. */
	const step = async (target: Locator, key?: string) => {
		await next(key);
		await tabTo(page, target, () => next(key));
	};
	const enter = async (target: Locator, key?: string) => {
		await expect(target).toBeEnabled();
		await step(target, key);
		await page.keyboard.press("Enter");
	};
	const expectHeading = async (name: string) => {
		await expect(page.getByRole("heading", { name })).toBeFocused();
		await expect.poll(() => visiblePart(page), name).toBeGreaterThan(0.3);
	};
	const pressAdd = async (title: string) => {
		await enter(button(`Add to Basket: ${title}`));
		await expect(page.locator(".toast")).toBeVisible();
		await expect(button(`Add to Basket: ${title}`)).toBeFocused();
		expect(await visiblePart(page), "the button above its message").toBeGreaterThan(0.9);
	};
	await page.goto("/");
	await test.step("the first Tab reaches a link that skips the header", async () => {
		await page.keyboard.press("Tab");
		await expect(link("Skip to content")).toBeFocused();
		await expect(link("Skip to content")).toBeInViewport({ ratio: 1 });
		await page.keyboard.press("Enter");
		await expect(page.getByRole("main")).toBeFocused();
		await page.keyboard.press("Tab");
		await expect(page.getByRole("main").getByRole("link").first()).toBeFocused();
	});
	await pressAdd(mixer.title);
	for (let presses = 0; presses < 8; presses++) await next();
	await page.keyboard.press("Escape");
	await enter(link(`More Info: ${speaker.title}`), "Shift+Tab");
	await expectHeading(speaker.title);
	await pressAdd(speaker.title);
	await enter(link("View basket"));
	await expectHeading("Your basket");

	await enter(link("Sign In"), "Shift+Tab");
	await expectHeading("Sign In");
	await test.step("a field of the sign-in form is visible with its label, in both directions", async () => {
		for (const [key, target] of Object.entries({ Tab: link("Continue as a guest"), "Shift+Tab": link(logo) })) {
			await tabTo(page, target, async () => {
				await page.keyboard.press(key);
				for (const field of [page.getByLabel("Email"), page.getByLabel("Password")]) {
					if (!(await hasFocus(field))) continue;
					await expect(field).toBeInViewport({ ratio: 1 });
					const label = field.locator("xpath=..");
					expect((await label.boundingBox())?.y, `${key} to ${await label.textContent()}`).toBeGreaterThanOrEqual(0);
				}
			});
		}
	});
	await step(page.getByLabel("Email"));
	await page.keyboard.type(`keyboard-${crypto.randomUUID()}@example.com`);
	await step(page.getByLabel("Password"));
	await page.keyboard.type("correct horse battery");
	await enter(button("Create account"));
	await expectHeading(homeHeading);

	await enter(link("Basket, 2 items"), "Shift+Tab");
	await enter(link("Proceed to Checkout"));
	await expectHeading("Checkout (2 items)");
	await expect(page.getByText("Enter your card details.")).toBeVisible();
	const before = (await announced()).length;
	await step(cardField(page, "cardnumber"));
	// a complete field moves the focus to the next one
	await page.keyboard.type(`${declinedCard}1234123`);
	await expect(cardField(page, "cvc")).toHaveValue("123");
	await enter(button("Buy Now"));
	await expect(page.getByText("Your card was declined.")).toBeVisible();
	await expect(button("Buy Now")).toBeFocused();
	await step(cardField(page, "cardnumber"), "Shift+Tab");
	await page.keyboard.press("ControlOrMeta+A");
	await page.keyboard.type(goodCard);
	await enter(button("Buy Now"));
	await expectHeading("Your Orders");
	await expect(page.getByRole("article")).toContainText(speaker.title);
	for (let presses = 0; presses < 6; presses++) await next();
	expect((await announced()).slice(before)).toEqual([
		"Ready to pay.",
		"Processing your payment…",
		"Your card was declined. Nothing was charged; try another card.",
		// while the other number is typed
		"Enter your card details.",
		"Ready to pay.",
		"Processing your payment…",
		`Your payment of ${formatMoney(mixer.priceCents + speaker.priceCents)} went through.`.replaceAll(/\s/g, " "),
	]);
});

test("a message closes when the focus leaves it, so that nothing focused is behind it", async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 780 });
	const items = [book, mixer, speaker, book, mixer, speaker, book];
	await fillBasket(page, ...items.map(({ title }) => title));
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
