import type { WebSocket } from "@playwright/test";
import { expect, hold, signInOverHttp, test } from "../support/browser.ts";
import { goodCard, payWith } from "../support/card.ts";
import { speaker } from "../support/catalogue.ts";
import { addToBasket, checkOut, createAccount, follow } from "../support/shopper.ts";
import { becomeVisible, denyLocalStorage, holdMessages, readAlerts } from "../support/window.ts";

test("signing in and out updates every tab and keeps the basket", async ({ page, context, expectWarning }) => {
	await page.goto("/");
	await addToBasket(page, speaker.title);
	const other = await context.newPage();
	await other.goto("/orders");
	const show = await hold(other, /_root\.data|\/_\.data/);
	const creating = createAccount(other);
	await test.step("the message does not cover the form while the next page loads", async () => {
		await expect(other.locator(".toast")).toBeAttached();
		await expect(other).toHaveURL("/login");
		await expect(other.locator(".toast")).toBeHidden();
		show();
	});
	const email = await creating;
	await expect(other).toHaveURL("/");
	await expect(other.locator(".toast").getByText("Your account was created. You're signed in.")).toBeInViewport();
	await expect(other.getByRole("link", { name: "Sign In" })).toHaveCount(0);
	await expect(page.getByText(`Hello ${email}`)).toBeVisible();
	await test.step("the greeting shows a long email in full at 1920 px", async () => {
		await page.setViewportSize({ width: 1920, height: 900 });
		const hidden = await page.locator(".who small").evaluate((element) => element.scrollWidth - element.clientWidth);
		expect(hidden).toBe(0);
	});
	await test.step("signing out keeps the page", async () => {
		await follow(page, "Returns & Orders");
		await expect(page.getByRole("heading", { level: 1, name: "Your Orders" })).toBeFocused();
		await page.getByRole("button", { name: "Sign Out" }).click();
		for (const tab of [page, other]) await expect(tab.getByText("Hello Guest")).toBeVisible();
		await expect(page).toHaveURL("/orders");
	});
	await test.step("signing in keeps the basket", async () => {
		await follow(page, "Sign In");
		await page.getByLabel("Email").fill(email);
		await page.getByLabel("Password").fill("correct horse battery");
		await page.getByLabel("Password").press("Enter");
		await expect(page.getByText(`Hello ${email}`)).toBeVisible();
		await expect(page.locator(".toast")).toHaveCount(0);
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	});
	await test.step("a reload empties the basket", async () => {
		await page.reload();
		await expect(page.getByRole("link", { name: "Basket, 0 items" })).toBeVisible();
	});
	await test.step("signing out removes the email from another tab that cannot load any data", async () => {
		expectWarning("Failed to load resource");
		await expect(other.getByText(`Hello ${email}`)).toBeVisible();
		await other.route("**/*.data*", (route) => route.abort());
		await page.getByRole("button", { name: "Sign Out" }).click();
		await expect(other.getByRole("heading", { level: 1, name: "We can't reach the shop" })).toBeVisible();
		expect(await other.content()).not.toContain(email);
	});
});

test("Show password shows the password until it is submitted", async ({ page, context, expectWarning }) => {
	expectWarning("400 /login.data");
	const alerts = readAlerts(page);
	await page.goto("/login");
	const field = page.getByLabel("Password");
	const show = page.getByRole("button", { name: "Show password" });
	await page.getByLabel("Email").fill("nobody@example.com");
	await field.pressSequentially("not the password");
	for (let presses = 0; presses < 3; presses++) await field.press("ArrowLeft");
	await test.step("the button keeps the focus and the caret in the field", async () => {
		for (const type of ["text", "password", "text"]) {
			await show.click();
			await expect(field).toHaveAttribute("type", type);
			await expect(show).toHaveAttribute("aria-pressed", String(type === "text"));
			await expect(field).toBeFocused();
			await expect(field).toHaveJSProperty("selectionStart", 13);
		}
	});
	await page.keyboard.type("my ");
	await page.keyboard.press("Enter");
	await expect.poll(() => alerts).toEqual(["Email or password is incorrect."]);
	await expect(field).toHaveAttribute("type", "password");
	await expect(field).toHaveValue("not the passwmy ord");
	await test.step("with the keyboard, the button keeps the focus", async () => {
		await page.keyboard.press("Tab");
		await page.keyboard.press("Space");
		await expect(field).toHaveAttribute("type", "text");
		await expect(show).toBeFocused();
	});
	await test.step("the field accepts a pasted password", async () => {
		await context.grantPermissions(["clipboard-read", "clipboard-write"]);
		await page.evaluate(() => navigator.clipboard.writeText("a pasted password"));
		await field.selectText();
		await page.keyboard.press("ControlOrMeta+v");
		await expect(field).toHaveValue("a pasted password");
	});
});

test("a sign-out in another tab removes all customer data from the page", async ({ page, context, shop }) => {
	const requested: URL[] = [];
	page.on("request", (request) => requested.push(new URL(request.url())));
	page.on("websocket", (socket) => requested.push(new URL(socket.url())));
	const marks = ["@example.com", "pi_", speaker.price];
	/** Returns the customer's data in the page and its storage. */
	const left = async () => {
		const kept = await page.evaluate(() =>
			JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, document.cookie]),
		);
		const text = (await page.content()).replaceAll("&nbsp;", "\u00a0") + kept;
		return marks.filter((mark) => text.includes(mark));
	};
	await holdMessages(context);
	// otherwise the sign-out could end the session during the handshake, and Chromium logs a refused handshake
	const feed = new Promise<WebSocket>((resolve) => {
		// listens at once: between two awaits, the response could be missed
		page.once("websocket", (socket) => {
			page.on("response", (response) => response.url().includes("/orders.data") && resolve(socket));
		});
	});
	await page.goto("/orders");
	const customer = await signInOverHttp(context, shop);
	await checkOut(page, speaker.title);
	await payWith(page, goodCard);
	await expect(page.getByRole("article")).toHaveCount(1);
	expect(await left()).toEqual(marks);
	const closed = (await feed).waitForEvent("close");
	await shop.d1
		.prepare(
			"insert into refunds select 're_' || payment_intent_id, payment_intent_id, 100, 'succeeded', 1 from orders where user_id = ?",
		)
		.bind(await customer.userId())
		.run();
	await becomeVisible(page);
	const message = page.locator(".toast");
	await expect(message).toContainText(`of your ${speaker.price} order was refunded`);

	await test.step("it closes the feed and removes the message", async () => {
		const other = await context.newPage();
		await other.goto("/");
		await other.getByRole("button", { name: "Sign Out" }).click();
		await closed;
		await expect(page.getByRole("banner").getByText("Hello Guest")).toBeVisible();
		await expect(page.getByText("to see your orders")).toBeVisible();
		expect(await left()).toEqual([]);
		expect(await message.count()).toBe(0);
		await page.goBack();
		await expect(page.getByRole("heading", { name: "Your basket" })).toBeVisible();
		expect(await message.count()).toBe(0);
	});

	await test.step("another customer of the same browser does not see the receipt", async () => {
		await page.goForward();
		await createAccount(page);
		for (const path of ["/login", "/orders"]) {
			await page.goBack();
			await expect(page).toHaveURL(path);
		}
		await expect(page.getByText("You haven't ordered anything yet.")).toBeVisible();
		await expect(page.getByText("You paid")).toHaveCount(0);
		await page.getByRole("button", { name: "Sign Out" }).click();
	});

	await test.step("no earlier page in the history shows the data", async () => {
		// the last of these pages is another document
		for (const path of ["/checkout", "/", "/orders"]) {
			await expect(page.getByRole("banner").getByText("Hello Guest")).toBeVisible();
			await page.goBack();
			await expect(page).toHaveURL(path);
			await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
			expect((await left()).filter((mark) => path !== "/" || mark !== speaker.price)).toEqual([]);
		}
	});

	await test.step("no requested URL contains a secret, a password or an email", async () => {
		const ours = requested.filter(({ pathname }) => !pathname.startsWith("/stripe-emulator/"));
		for (const path of ["/login.data", "/payments/create", "/payments/place", "/payments/fulfill", "/orders/feed"]) {
			expect(ours.map(({ pathname }) => pathname)).toContain(path);
		}
		expect(ours.map(String).filter((url) => /_secret_|password|correct|@|%40|customer-/.test(url))).toEqual([]);
	});
});

test("a receipt is deleted in someone else's document, even without data", async ({ page, shop, expectWarning }) => {
	expectWarning("503 /");
	const context = page.context();
	const receipt = page.getByRole("region", { name: "Your payment" });
	const saved = () => page.evaluate(() => sessionStorage.getItem("tab"));
	for (const change of [() => signInOverHttp(context, shop), () => context.clearCookies()]) {
		await checkOut(page, speaker.title);
		await payWith(page, goodCard);
		await expect(receipt).toBeVisible();
		await page.route("**/*.data*", (route) => route.fulfill({ status: 503 }));
		await page.reload();
		await expect.poll(saved).toContain("pi_");
		await change();
		await page.reload();
		await expect.poll(saved).toBe("{}");
		await expect(receipt).toHaveCount(0);
		await page.unroute("**/*.data*");
	}
});

test("without localStorage, a receipt is shown only to its customer", async ({ page, context, shop }) => {
	await denyLocalStorage(page);
	const receipt = page.getByRole("region", { name: "Your payment" });
	await signInOverHttp(context, shop);
	await checkOut(page, speaker.title);
	await payWith(page, goodCard);
	await expect(receipt).toBeVisible();
	await context.clearCookies();
	await page.reload();
	await expect(page.getByText("to see your orders")).toBeVisible();
	await expect(receipt).toHaveCount(0);
});
