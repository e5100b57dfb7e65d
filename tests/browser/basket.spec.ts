import {
	addToBasket,
	cardField,
	createAccount,
	expect,
	expectNotReloaded,
	follow,
	hold,
	markDocument,
	signInOverHttp,
	test,
} from "../support/browser.ts";
import { speaker } from "../support/catalogue.ts";

test("the basket survives Enter in the search box, client navigation and sign-in, and is lost on reload", async ({
	page,
}) => {
	await page.goto("/");
	await addToBasket(page, "Smart speaker");
	await page.getByRole("searchbox").fill("mixer");
	await page.getByRole("searchbox").press("Enter");
	await expect(page).toHaveURL("/");
	await expect(page.getByRole("searchbox")).toHaveValue("mixer");
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	await follow(page, "Returns & Orders");
	await expect(page.getByRole("heading", { level: 1, name: "Your Orders" })).toBeFocused();
	await createAccount(page);
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	await page.reload();
	await expect(page.getByRole("link", { name: "Basket, 0 items" })).toBeVisible();
});

test("Add to Basket announces the added item, or a full basket at 200 items", async ({ page }) => {
	await page.goto("/");
	const add = page.getByRole("button", { name: "Add to Basket: Smart speaker" });
	await add.click();
	await expect(page.getByRole("status")).toContainText("Added to basket: Smart speaker");
	await add.evaluate((button: HTMLButtonElement) => {
		for (let clicks = 0; clicks < 12; clicks++) button.click();
	});
	await expect(page.getByRole("status")).toContainText("13 items in your basket.");
	await add.evaluate((button: HTMLButtonElement) => {
		for (let clicks = 0; clicks < 200; clicks++) button.click();
	});
	await expect(page.getByRole("status")).toContainText("Your basket is full. It holds up to 200 items.");
	await expect(page.getByRole("link", { name: "Basket, 200 items" })).toBeVisible();
});

test("Add to Basket shows a toast with a picture, Undo and a link to the basket", async ({ page }) => {
	await page.goto("/");
	const add = page.getByRole("button", { name: "Add to Basket: Smart speaker" });
	const undo = page.getByRole("button", { name: "Undo" });
	await add.click();
	await expect(add).toContainText("Added");
	await expect(page.locator(".toast img")).toHaveAttribute("src", /speaker/);

	await undo.click();
	const basket = (items: string) => page.getByRole("link", { name: `Basket, ${items}` });
	await expect(basket("0 items")).toBeFocused();
	await expect(page.getByRole("status")).toContainText("0 items in your basket");
	await expect(undo).toBeHidden();

	await add.click();
	await add.click();
	await undo.click();
	await expect(basket("1 item")).toBeFocused();
	await add.click();
	await page.getByRole("link", { name: "View basket" }).click();
	await expect(page.getByRole("heading", { name: "Your basket" })).toBeFocused();
	await expect(page.locator(".toast")).toHaveCount(0);
});

test("the toast of an added item precedes the page in the tab order, is not printed, and closes on navigation", async ({
	page,
}) => {
	await page.goto("/");
	const undo = page.getByRole("button", { name: "Undo" });
	await addToBasket(page, "The Steady Business");
	await page.keyboard.press("Shift+Tab");
	await expect(page.getByRole("link", { name: "More Info: The Steady Business" })).toBeFocused();
	await page.keyboard.press("Shift+Tab");
	await expect(undo).toBeFocused();
	await page.emulateMedia({ media: "print" });
	await expect(undo).toBeHidden();
	await page.emulateMedia({ media: "screen" });
	await expect(undo).toBeVisible();
	await follow(page, "Basket, 1 item");
	await expect(page.getByRole("heading", { name: "Your basket" })).toBeFocused();
	await expect(page.locator(".toast")).toHaveCount(0);

	await page.getByRole("button", { name: "Remove from Basket" }).click();
	await expect(page.getByRole("status")).toContainText("0 items in your basket");
	await page.goBack();
	await expect(page.getByRole("heading", { name: "Six things." })).toBeFocused();
	await expect(page.locator(".toast")).toHaveCount(0);
});

test("a line item links to its product, the gift checkbox does not change the total, and a total is copied as one line", async ({
	page,
}) => {
	await page.goto("/");
	await addToBasket(page, speaker.title);
	await follow(page, "Basket, 1 item");
	await page.getByRole("listitem").getByRole("link", { name: speaker.title }).click();
	await expect(page).toHaveURL(`/product/${speaker.id}`);
	await follow(page, "Basket, 1 item");
	await page.getByRole("checkbox", { name: "This order contains a gift" }).check();
	for (const [name, text] of [
		["Subtotal", `Subtotal (1 item): ${speaker.price}`],
		["Order summary", `Order Total: ${speaker.price}`],
	] as const) {
		const total = page.getByRole("complementary", { name }).locator(".total");
		await expect(total).toBeVisible();
		const [copied, before, after] = await total.evaluate((element) => {
			const selection = getSelection();
			selection?.selectAllChildren(element);
			const copied = String(selection);
			const label = selection?.getRangeAt(0).getClientRects()[0];
			const price = element.querySelector(".price")?.getBoundingClientRect();
			const line = element.getBoundingClientRect();
			return [copied.trim(), (label?.left ?? 0) - line.left, line.right - (price?.right ?? 0)];
		});
		expect.soft(copied).toBe(text);
		expect(before).toBeCloseTo(0, 0);
		expect(after).toBeCloseTo(0, 0);
		if (name === "Subtotal") await follow(page, "Proceed to Checkout");
	}
});

test("/payment with an empty basket creates no PaymentIntent, and its card input has the colors of the theme", async ({
	page,
}) => {
	await page.emulateMedia({ colorScheme: "light" });
	let asked = 0;
	page.on("request", (request) => {
		if (request.url().includes("/payments/create")) asked++;
	});
	await page.goto("/payment");
	await expect(page.getByText("Your basket is empty")).toBeVisible();
	await expect(page.getByText("Order Total: $0.00")).toBeVisible();
	const buyNow = page.getByRole("button", { name: "Buy Now" });
	await expect(buyNow).toBeDisabled();
	await expect(buyNow).toHaveAccessibleDescription("Add something to your basket first.");
	await expect(cardField(page, "cardnumber")).toHaveCSS("color", "rgb(23, 32, 43)");
	await page.locator("html").evaluate((root) => root.setAttribute("data-theme", "dark"));
	await expect(cardField(page, "cardnumber")).toHaveCSS("color", "rgb(238, 242, 246)");
	expect(asked).toBe(0);
});

test("a click before the scripts have loaded is acknowledged at once and takes effect after they load, before the click on a link that follows it", async ({
	page,
}) => {
	const release = await hold(page, "**/assets/entry.client-*.js");
	await page.goto("/", { waitUntil: "commit" });
	const add = page.getByRole("button", { name: "Add to Basket: Smart speaker" });
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

test("Sign Out before the scripts have loaded waits for an earlier click on Add to Basket", async ({
	page,
	context,
	shop,
}) => {
	await signInOverHttp(context, shop);
	const release = await hold(page, "**/assets/entry.client-*.js");
	await page.goto("/", { waitUntil: "commit" });
	await page.getByRole("button", { name: "Add to Basket: Smart speaker" }).click();
	await page.getByRole("button", { name: "Sign Out" }).click();
	release();
	await expect(page.getByRole("link", { name: "Sign In" })).toBeVisible();
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
});

test("if the scripts never load, a link that is clicked after a button opens after ten seconds", async ({ page }) => {
	const now = Date.now();
	await page.clock.install({ time: now });
	await page.route("**/assets/entry.client-*.js", () => {});
	await page.goto("/", { waitUntil: "commit" });
	await page.clock.pauseAt(now + 3_600_000);
	await page.getByRole("button", { name: "Add to Basket: Smart speaker" }).click();
	await follow(page, "Basket, 0 items");
	await page.clock.fastForward(9_999);
	await expect(page).toHaveURL("/");
	await page.clock.fastForward(1);
	await expect(page.getByRole("heading", { name: "Your basket" })).toBeVisible();
});

test("a click on a picture opens its product, and Add to Basket stays on the page", async ({ page }) => {
	await page.goto("/");
	const card = page.getByRole("article").filter({ hasText: "Smart speaker" });
	await card.getByRole("button").click();
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	await expect(page).toHaveURL("/");
	// the link covers the picture, so Playwright's actionability check would never pass
	await card.locator("img").click({ force: true, position: { x: 20, y: 250 } });
	await expect(page.getByRole("heading", { level: 1, name: "Smart speaker" })).toBeFocused();
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
});
