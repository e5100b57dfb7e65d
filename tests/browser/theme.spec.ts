import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser.ts";
import { buyNow } from "../support/card.ts";
import { speaker } from "../support/catalogue.ts";
import { addToBasket, follow } from "../support/shopper.ts";

const load = [
	{ saved: "dark", system: "light", shown: "dark" },
	{ saved: "light", system: "dark", shown: "light" },
	{ saved: null, system: "light", shown: "light" },
	{ saved: "blue", system: "dark", shown: "dark" },
] as const;

/** Asserts that the color around the page, in the browser's own bars, is that of the header. */
async function expectThemeColor(page: Page): Promise<void> {
	const { used, header } = await page.evaluate(() => {
		const metas = [...document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")];
		const sample = document.createElement("i");
		sample.style.color = metas.find(({ media }) => matchMedia(media).matches)?.content ?? "";
		document.body.appendChild(sample);
		const used = getComputedStyle(sample).color;
		sample.remove();
		return { used, header: getComputedStyle(document.querySelector(".bar") ?? document.body).backgroundColor };
	});
	expect(used).toBe(header);
}

test("the page has the saved theme, or else the system's, before the first paint", async ({ page, expectWarning }) => {
	expectWarning("405 /logout");
	await page.addInitScript(() => {
		// records the theme when the body is created, before the first paint
		new MutationObserver((_, observer) => {
			if (!document.body) return;
			observer.disconnect();
			Reflect.set(window, "themeBeforePaint", document.documentElement.dataset["theme"]);
		}).observe(document, { childList: true, subtree: true });
	});
	// any document of the shop's origin
	await page.goto("/robots.txt");
	for (const { saved, system, shown } of load) {
		await test.step(`with ${saved} saved and a ${system} system theme, the page is ${shown}`, async () => {
			await page.emulateMedia({ colorScheme: system });
			await page.evaluate((theme) => {
				localStorage.clear();
				if (theme !== null) localStorage.setItem("theme", theme);
			}, saved);
			await page.goto("/");
			expect(await page.evaluate(() => Reflect.get(window, "themeBeforePaint"))).toBe(shown);
			await expect(page.locator("html")).toHaveAttribute("data-theme", shown);
			await expect(page.getByRole("button", { name: shown === "dark" ? "Dark" : "Light" })).toHaveAttribute(
				"aria-pressed",
				"true",
			);
			await expectThemeColor(page);
			await expectHero(page, shown);
		});
	}
	await test.step("a theme button changes the theme and saves the choice", async () => {
		for (const [name, theme] of Object.entries({ Light: "light", Dark: "dark" })) {
			await page.getByRole("button", { name }).click();
			await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
			await expectThemeColor(page);
			expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe(theme);
		}
	});
	await test.step("an error page has the saved theme", async () => {
		await page.emulateMedia({ colorScheme: "light" });
		await page.goto("/logout");
		await expect(page.getByRole("heading", { level: 1, name: "Something went wrong" })).toBeVisible();
		await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
	});
});

test("a theme that another page saves applies in other tabs at once, and after Back", async ({ page, context }) => {
	await page.goto("/");
	const other = await context.newPage();
	await other.goto("/");
	const dark = other.getByRole("button", { name: "Dark" });
	await page.getByRole("button", { name: "Dark" }).click();
	await expect(dark).toHaveAttribute("aria-pressed", "true");
	await expectThemeColor(other);
	// a cached page gets no storage event; tests/engines has the real cache
	await other.evaluate(() => {
		localStorage.setItem("theme", "light");
		dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
	});
	await expect(dark).toHaveAttribute("aria-pressed", "false");
	await expectThemeColor(other);
});

/** Asserts that the home page shows the theme's picture, and not the other one. */
async function expectHero(page: Page, theme: "dark" | "light"): Promise<void> {
	const heroes = page.locator(".hero img");
	const [shown, hidden] = theme === "dark" ? [heroes.last(), heroes.first()] : [heroes.first(), heroes.last()];
	await expect(shown).toBeVisible();
	await expect(shown).toHaveJSProperty("complete", true);
	await expect(hidden).toBeHidden();
}

test.describe(() => {
	test.use({ javaScriptEnabled: false });
	test("without JavaScript, the home page has the picture and color of the system's theme", async ({ page }) => {
		for (const theme of ["dark", "light"] as const) {
			await page.emulateMedia({ colorScheme: theme });
			await page.goto("/");
			await expectHero(page, theme);
			await expectThemeColor(page);
		}
	});
});

test("forced colors keep the main button and the edge of a message visible", async ({ page }) => {
	const styleOf = (selector: string, property: string) =>
		page
			.locator(selector)
			.first()
			.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), property);
	await page.goto("/");
	await test.step("more contrast makes muted text as dark as any other", async () => {
		expect(await styleOf(".stars", "color")).not.toBe(await styleOf("h2", "color"));
	});
	await page.emulateMedia({ contrast: "more" });
	expect(await styleOf(".stars", "color")).toBe(await styleOf("h2", "color"));
	await page.emulateMedia({ contrast: null, forcedColors: "active" });
	await addToBasket(page, speaker.title);
	expect(await styleOf(".card .main", "background-color")).not.toBe(await styleOf(".card .info", "background-color"));
	expect(await styleOf(".toast", "outline-style")).toBe("solid");
	await page.getByRole("button", { name: "Close message" }).click();
	const enabled = await styleOf(".card .main", "border-color");
	await follow(page, "Basket, 1 item");
	await follow(page, "Proceed to Checkout");
	await expect(buyNow(page)).toHaveAttribute("aria-disabled", "true");
	const colorOf = (color: string) =>
		page.evaluate((color) => {
			document.body.style.setProperty("border-color", color);
			return getComputedStyle(document.body).borderColor;
		}, color);
	expect(await styleOf(".sum .main", "border-color")).toBe(await colorOf("GrayText"));
	expect(await styleOf(".sum .main", "border-color")).not.toBe(enabled);
});

test("the placeholder of the search field is less bright than what is typed there", async ({ page }) => {
	await page.goto("/");
	const { typed, placeholder } = await page.getByRole("searchbox").evaluate((input) => ({
		typed: getComputedStyle(input).color,
		placeholder: getComputedStyle(input, "::placeholder").color,
	}));
	expect(placeholder).not.toBe(typed);
});

test.describe(() => {
	test.use({ hasTouch: true, isMobile: true });

	test("a tapped link of the header, which stays hovered, is not underlined", async ({ page }) => {
		await page.goto("/");
		const basket = page.getByRole("link", { name: "Basket, 0 items" });
		await basket.hover();
		expect(await basket.evaluate((link) => link.matches(":hover"))).toBe(true);
		await expect(basket).toHaveCSS("text-decoration-line", "none");
	});
});
