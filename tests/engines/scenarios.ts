import { authenticatedCard } from "../support/bank.ts";
import { declinedCard, goodCard } from "../support/card.ts";
import { mixer, speaker } from "../support/catalogue.ts";
import { type Page, Unmet } from "./page.ts";

export interface Scenario {
	refusesCookies?: true;
	/** The status of the error responses that the scenario causes, which some browsers log. */
	causes?: number;
	/** The beginning of another message that some browsers log. */
	logs?: string;
	/** The number of rows that the scenario adds to tables. */
	adds?: Record<string, number>;
	/** Acts in a window that shows the home page. `open` opens another window of the same browser. */
	run(page: Page, open: (path: string) => Promise<Page>): Promise<unknown>;
}

const cardFrame = 'iframe[title="Secure card payment input frame"]';
const bankFrame = 'iframe[title^="Secure 3D Secure"]';

/** Adds a product to the basket, which then has this number of items. */
async function add(page: Page, { title }: { title: string }, count = 1): Promise<void> {
	await page.press(`Add to Basket: ${title}`);
	await page.expectBasket(count);
}

async function checkOut(page: Page, card = goodCard, clicks = 1): Promise<void> {
	await add(page, speaker);
	await page.press("Basket, 1 item");
	await page.press("Proceed to Checkout");
	await typeCard(page, card);
	await page.press("Buy Now", { times: clicks });
}

async function typeCard(page: Page, card: string): Promise<void> {
	await page.type("[name=cardnumber]", card, cardFrame);
	await page.type("[name=exp-date]", "1234", cardFrame);
	await page.type("[name=cvc]", "123", cardFrame);
}

async function expectReceipt(page: Page): Promise<void> {
	await page.arriveAt("/orders");
	await page.expectText(`Thank you for your order! You paid ${speaker.price}`);
	await page.expectText(speaker.title);
	await page.expectBasket(0);
}

/** Fills in the form of /login with a new email, and presses a button. Returns the email. */
async function submit(page: Page, button: string, password?: string): Promise<string> {
	const email = await fillIn(page, password);
	await page.press(button);
	return email;
}

async function fillIn(page: Page, password = "correct horse battery"): Promise<string> {
	const email = `customer-${crypto.randomUUID()}@example.com`;
	await page.arriveAt("/login");
	await page.type("[name=email]", email);
	await page.type("[name=password]", password);
	return email;
}

async function createAccount(page: Page): Promise<string> {
	await page.open("/login");
	const email = await submit(page, "Create account");
	await page.expectText(`Hello ${email}`);
	return email;
}

/** Opens a document without scripts, goes back and expects the basket. It is the shop's own: WebKit's driver may hang if a
 *  page of another site is left. */
async function leaveAndReturn(page: Page, path: string): Promise<void> {
	await page.leaveFor("/robots.txt");
	await page.back(path);
	await page.expectBasket(1);
}

async function chooseDark(page: Page): Promise<void> {
	await page.press("Dark");
	await expectDark(page);
}

const expectDark = (page: Page) =>
	page.expect("the dark theme", () => document.documentElement.dataset["theme"] === "dark");

/** Opens every page, and focuses its links. Nothing may scroll sideways. */
async function visitAll(page: Page): Promise<void> {
	for (const path of ["/login", "/checkout", "/payment", "/orders", `/product/${mixer.id}`, "/nowhere", "/"]) {
		await page.open(path);
		await page.settle();
		const excess = await page.window.evaluate(() => {
			for (const link of document.querySelectorAll<HTMLElement>("main a[href^='/']")) link.focus();
			return document.documentElement.scrollWidth - document.documentElement.clientWidth;
		});
		if (excess > 0) throw new Unmet(`expected nothing to scroll sideways, but ${path} is ${excess} pixels too wide`);
	}
}

/** Sets how many seconds an approved charge has the status processing. */
async function settleAfter(page: Page, seconds: number): Promise<void> {
	await page.window.evaluate(async (seconds) => {
		const body = JSON.stringify({ control: "processing", seconds });
		await fetch("/stripe-emulator/controls", { method: "POST", body });
	}, seconds);
}

/** Something other than the shop responds with this status to the requests whose paths match, from now on. */
async function intercept(page: Page, status: number, pattern: string): Promise<void> {
	await page.window.evaluate((value) => {
		// biome-ignore lint/suspicious/noDocumentCookie: not every engine has the Cookie Store API
		document.cookie = `intercept=${encodeURIComponent(value)}; path=/; secure`;
	}, `${status} ${pattern}`);
}

const interceptNothing = (page: Page) => intercept(page, 200, "^$");

/** Marks the document that is shown, waits until it can be kept for Back, and lets `leave` replace it. */
async function replaceDocument(page: Page, path: string, leave: () => Promise<unknown>): Promise<void> {
	await page.settle();
	await page.window.evaluate(() => void Object.assign(window, { isFirst: true }));
	await leave();
	await page.expect("another document", () => !("isFirst" in window));
	await page.arriveAt(path);
}

/** Goes back to the marked document. Returns whether the browser has kept it. Firefox keeps none that a later one has
 *  replaced in sessionStorage, or whose last request has just ended. It loads it again, with an empty basket. */
async function backToFirst(page: Page, path: string, steps = 1): Promise<boolean> {
	await page.window.evaluate(() => void Object.assign(window, { isLater: true }));
	await page.back(path, steps);
	await page.expect("the first document", () => !("isLater" in window));
	return page.window.evaluate(() => "isFirst" in window);
}

/** Goes forward to the document that `backToFirst` has left. Returns whether the browser has kept it: a document that it
 *  has discarded is loaded again, with an empty basket. */
async function forwardToLater(page: Page, path: string, steps = 1): Promise<boolean> {
	await page.forward(path, steps);
	await page.expect("the later document", () => !("isFirst" in window));
	await page.arriveAt(path);
	return page.window.evaluate(() => "isLater" in window);
}

const checking = "We're checking your payment. This page updates automatically. Please don't pay again.";

/** Opens /checkout with the speaker in the basket, and then /payment as a document, because something else responds to
 *  the request for its data. */
async function openPaymentDocument(page: Page): Promise<void> {
	await add(page, speaker);
	await page.press("Basket, 1 item");
	await page.arriveAt("/checkout");
	await replaceDocument(page, "/payment", async () => {
		await intercept(page, 200, "^/payment.data");
		await page.press("Proceed to Checkout");
	});
	await page.expectBasket(1);
}

export const scenarios: Record<string, Scenario> = {
	"a double click on Buy Now places one order of a guest, who sees the receipt": {
		adds: { orders: 1 },
		async run(page) {
			await checkOut(page, goodCard, 2);
			await expectReceipt(page);
			await page.open("/orders");
			await page.expectText(`Order Total: ${speaker.price}`);
			await page.expect("no thanks", () => !document.querySelector("main")?.textContent.includes("Thank"));
		},
	},
	"3-D Secure fails, is canceled and is completed": {
		causes: 402,
		adds: { orders: 1 },
		async run(page) {
			await checkOut(page, authenticatedCard);
			for (const answer of ["Fail authentication", "Close without paying"]) {
				await page.press(answer, { frame: bankFrame });
				await page.expectText("We are unable to authenticate your payment method.");
				await page.expectBasket(1);
				await page.press("Buy Now");
			}
			await page.press("Complete authentication", { frame: bankFrame });
			await expectReceipt(page);
		},
	},
	"an account is created, a wrong password is refused, and a second window shows the sign-out": {
		causes: 400,
		adds: { users: 1, sessions: 0 },
		async run(page, open) {
			const email = await createAccount(page);
			const other = await open("/orders");
			await other.expectText(`Hello ${email}`);
			await page.press("Sign Out");
			await page.expectText("Hello Guest");
			await other.expectText("Hello Guest");
			await page.press("Sign In");
			await submit(page, "Sign In", "a wrong password");
			await page.expectAlert("Email or password is incorrect.");
			await page.expectText("Email or password is incorrect.");
			await page.expect("the focus on the password", () => document.activeElement?.getAttribute("name") === "password");
		},
	},
	"an order appears on /orders in another window of the customer": {
		async run(page, open) {
			await createAccount(page);
			const other = await open("/orders");
			await other.expectText("You haven't ordered anything yet.");
			await other.window.evaluate(() => void Object.assign(window, { isMarked: true }));
			await checkOut(page);
			await expectReceipt(page);
			await other.expectText(`Order Total: ${speaker.price}`);
			await other.expect("no reload", () => "isMarked" in window);
		},
	},
	"the basket is kept after another document and Back, also after a decline and after a payment": {
		causes: 402,
		async run(page) {
			await add(page, speaker);
			await leaveAndReturn(page, "/");
			await page.open("/");
			await checkOut(page, declinedCard);
			await page.expectText("Your card was declined.");
			await leaveAndReturn(page, "/payment");
			await page.open("/");
			await checkOut(page);
			await expectReceipt(page);
			await page.press("Home");
			await add(page, mixer);
			await leaveAndReturn(page, "/");
		},
	},
	"Back from a document that the shop has loaded shows its payment, which cannot be made again": {
		adds: { orders: 1 },
		async run(page) {
			await settleAfter(page, 15);
			await openPaymentDocument(page);
			await interceptNothing(page);
			await typeCard(page, goodCard);
			await page.press("Buy Now");
			await page.expectText(checking);
			const isKept = await backToFirst(page, "/checkout");
			await page.expectText(checking);
			await page.expectBasket(isKept ? 1 : 0);
			await page.press("Proceed to Checkout");
			await page.expect("no Buy Now", () => !document.querySelector("#card")?.textContent.includes("Buy Now"));
			await expectReceipt(page);
			await settleAfter(page, 0);
		},
	},
	"Back from a document that the shop has loaded stays, while something else still responds": {
		async run(page) {
			await openPaymentDocument(page);
			await page.settle();
			const isKept = await backToFirst(page, "/checkout");
			await page.settle();
			await page.arriveAt("/checkout");
			await page.expectBasket(isKept ? 1 : 0);
			const isLaterKept = await forwardToLater(page, "/payment");
			await page.expectBasket(isLaterKept ? 1 : 0);
		},
	},
	"after a payment in a document that the shopper has opened, Back shows an empty basket, and /orders the receipt": {
		causes: 404,
		adds: { orders: 1 },
		async run(page) {
			await add(page, mixer);
			await replaceDocument(page, "/nowhere", () => page.open("/nowhere"));
			await checkOut(page);
			await expectReceipt(page);
			await backToFirst(page, "/", 3);
			await page.expectBasket(0);
			await page.press("Returns");
			await page.expectText(`Order Total: ${speaker.price}`);
		},
	},
	"a basket that a later document has changed is shown after Back and Forward, and lost after a reload": {
		async run(page) {
			await add(page, speaker);
			await replaceDocument(page, "/orders", () => page.open("/orders"));
			await page.expectBasket(0);
			// leaving would abort the imports of the other pages' code
			await page.settle();
			await backToFirst(page, "/");
			await page.expectBasket(1);
			await page.forward("/orders");
			await page.press("Home");
			await page.arriveAt("/");
			await add(page, mixer);
			await add(page, speaker, 2);
			await page.settle();
			const isKept = await backToFirst(page, "/", 2);
			await page.expectBasket(isKept ? 2 : 0);
			await page.settle();
			const isLaterKept = await forwardToLater(page, "/", 2);
			await page.expectBasket(isLaterKept ? 2 : 0);
			await page.reload();
			await page.expectBasket(0);
			// the server renders an empty basket: before hydration, the document has left no state behind
			await page.arriveAt("/");
			await backToFirst(page, "/", 2);
			await page.expectBasket(0);
		},
	},
	"the basket is kept by form.submit() of another program, and Back shows who has signed in": {
		adds: { users: 1 },
		async run(page) {
			await add(page, speaker);
			await page.press("Sign In");
			const email = await fillIn(page);
			await replaceDocument(page, "/", () =>
				page.window.evaluate(() => {
					const form = document.querySelector("form");
					form?.insertAdjacentHTML("beforeend", "<input name=intent value=create-account>");
					setTimeout(() => form?.submit());
				}),
			);
			await page.expectText(`Hello ${email}`);
			await page.expectBasket(1);
			await backToFirst(page, "/login");
			await page.press("Home");
			await page.expectText(`Hello ${email}`);
			await page.press("Sign Out");
			await page.expectText("Hello Guest");
		},
	},
	"Back shows neither the receipt of a guest nor the orders of a customer who has left, even if no data can be loaded":
		{
			causes: 503,
			logs: "WebSocket connection",
			adds: { orders: 1 },
			async run(page) {
				await checkOut(page);
				await expectReceipt(page);
				await replaceDocument(page, "/login", () => page.open("/login"));
				const email = await submit(page, "Create account");
				await page.expectText(`Hello ${email}`);
				await page.settle();
				await backToFirst(page, "/orders", 2);
				await page.expectText(`Hello ${email}`);
				await page.expectText(`Order Total: ${speaker.price}`);
				await page.expect("no receipt", () => document.querySelector(".receipt") === null);
				await replaceDocument(page, "/", () => page.open("/"));
				await page.press("Sign Out");
				await page.expectText("Hello Guest");
				await page.settle();
				await intercept(page, 503, "data$");
				await backToFirst(page, "/orders");
				await page.expect(
					"nothing of the customer",
					() => !/example\.com|pi_|Order Total/.test(document.querySelector("#shop")?.textContent ?? ""),
				);
			},
		},
	"a document that was requested and answered with 204 leaves the page, whose reload empties the basket": {
		async run(page) {
			await add(page, speaker);
			await page.settle();
			await intercept(page, 204, "^/(orders|_root)?(.data)?$");
			await page.press("Returns");
			await page.expect("the mark", () => sessionStorage.getItem("handedOver") !== null);
			await interceptNothing(page);
			await page.expectBasket(1);
			await page.reload();
			await page.expectBasket(0);
		},
	},
	"a theme that another document has chosen applies after Back": {
		async run(page) {
			await page.press("Light");
			await page.leaveFor("/orders");
			await chooseDark(page);
			await page.back("/");
			await expectDark(page);
		},
	},
	"a picture opens as large as the window, and Back and Close return to its link": {
		async run(page) {
			const path = `/product/${mixer.id}`;
			const expectOpen = () =>
				page.expect("the picture", () => {
					const picture = document.querySelector("dialog img")?.getBoundingClientRect();
					if (!picture || !document.querySelector("dialog[open] p")?.textContent.startsWith("1 of")) return false;
					const { width, height, top } = picture;
					return width === height && width > Math.min(innerWidth, innerHeight) / 2 && top >= 0;
				});
			const expectClosed = () =>
				page.expect("the focus on the picture's link", () => {
					const isFocused = document.activeElement === document.querySelector(".views a");
					return isFocused && location.hash === "" && !document.querySelector("dialog[open]");
				});
			await page.open(path);
			await page.press("(full size)");
			await expectOpen();
			await page.back(path);
			await expectClosed();
			await page.forward(path);
			await expectOpen();
			await page.press("Close");
			await expectClosed();
		},
	},
	"without cookies, every page works": {
		refusesCookies: true,
		causes: 404,
		async run(page) {
			await visitAll(page);
			await chooseDark(page);
			await add(page, mixer);
			await page.press("Basket, 1 item");
			await page.expectText("Subtotal (1 item)");
		},
	},
	"without cookies, a guest buys after a decline and sees the receipt": {
		refusesCookies: true,
		causes: 402,
		adds: { orders: 1 },
		async run(page) {
			await checkOut(page, declinedCard);
			await page.expectText("Your card was declined.");
			await page.expectBasket(1);
			await typeCard(page, goodCard);
			await page.press("Buy Now");
			await expectReceipt(page);
		},
	},
	"without cookies, the form says why no one can sign in, and creates no account": {
		refusesCookies: true,
		causes: 400,
		adds: { users: 0 },
		async run(page) {
			for (const button of ["Sign In", "Create account"]) {
				await page.open("/login");
				await submit(page, button);
				await page.expectText("Your browser keeps no cookies for this shop");
			}
		},
	},
	"at a phone's width, no page logs an error or scrolls sideways": {
		causes: 404,
		async run(page) {
			await page.window.narrow();
			await visitAll(page);
		},
	},
};
