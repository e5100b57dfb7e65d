import { authenticatedCard } from "../support/bank.ts";
import { declinedCard, goodCard } from "../support/browser.ts";
import { mixer, speaker } from "../support/catalogue.ts";
import type { Shop } from "../support/shop.ts";
import { type Page, Unmet } from "./page.ts";

export interface World {
	shop: Shop;
	/** Opens a window of the scenario's browser with a page of the shop. */
	open(path: string): Promise<Page>;
}

interface Scenario {
	refusesCookies?: true;
	/** The status of the error responses that the scenario causes, which some browsers log. */
	causes?: number;
	run(world: World): Promise<unknown>;
}

const cardFrame = 'iframe[title="Secure card payment input frame"]';
const bankFrame = 'iframe[title^="Secure 3D Secure"]';
const password = "correct horse battery";

async function checkOut(page: Page, card = goodCard): Promise<void> {
	await page.press(`Add to Basket: ${speaker.title}`);
	await page.expectBasket(1);
	await page.press("Basket, 1 item");
	await page.press("Proceed to Checkout");
	await typeCard(page, card);
}

async function typeCard(page: Page, card: string): Promise<void> {
	await page.type("[name=cardnumber]", card, cardFrame);
	await page.type("[name=exp-date]", "1234", cardFrame);
	await page.type("[name=cvc]", "123", cardFrame);
}

async function expectReceipt(page: Page): Promise<void> {
	await page.arriveAt("/orders");
	await page.expectText(`You paid ${speaker.price}`);
	await page.expectText(speaker.title);
}

async function buyAfterDecline(page: Page): Promise<void> {
	await checkOut(page, declinedCard);
	await page.press("Buy Now");
	await page.expectText("Your card was declined.");
	await page.expectBasket(1);
	await typeCard(page, goodCard);
	await page.press("Buy Now");
	await expectReceipt(page);
}

/** Fills in the form of /login with a new email, and returns the email. */
async function fillIn(page: Page, email = `customer-${crypto.randomUUID()}@example.com`): Promise<string> {
	await page.arriveAt("/login");
	await page.type("[name=email]", email);
	await page.type("[name=password]", password);
	return email;
}

async function createAccount(page: Page): Promise<string> {
	const email = await fillIn(page);
	await page.press("Create account");
	await page.arriveAt("/");
	await page.expectText(`Hello ${email}`);
	return email;
}

/** Opens a document that is not the shop's, goes back and expects the basket. */
async function leaveAndReturn(page: Page, path: string): Promise<void> {
	await page.leaveFor("about:blank");
	await page.back(path);
	await page.expectBasket(1);
}

/** Checks that `change` adds this number of rows to a table. */
async function expectAdded({ d1 }: Shop, table: string, expected: number, change: () => Promise<unknown>) {
	const count = async () => Number(await d1.prepare(`select count(*) as count from ${table}`).first("count"));
	const before = await count();
	await change();
	const added = (await count()) - before;
	if (added !== expected) throw new Unmet(`expected ${expected} new rows in ${table}, but there are ${added}`);
}

const paths = ["/", "/login", "/checkout", "/payment", "/orders", `/product/${mixer.id}`, "/nowhere"];

/** Opens every page, and points at its links, which makes the shop prefetch other pages. */
async function visitAll(page: Page): Promise<void> {
	const tooWide: string[] = [];
	for (const path of paths) {
		await page.open(path);
		await page.settle();
		await page.evaluate(() => {
			for (const link of document.querySelectorAll<HTMLElement>("main a[href^='/']")) link.focus();
		});
		const [width, content] = await page.evaluate(() => {
			const { clientWidth, scrollWidth } = document.documentElement;
			return [clientWidth, scrollWidth] as const;
		});
		if (content > width) tooWide.push(`${path} is ${content} pixels wide in a window of ${width}`);
	}
	if (tooWide.length > 0) throw new Unmet(`expected nothing to scroll sideways, but ${tooWide.join(", ")}`);
}

export const scenarios: Record<string, Scenario> = {
	"a double click on Buy Now places one order of a guest, who sees the receipt": {
		run: ({ shop, open }) =>
			expectAdded(shop, "orders", 1, async () => {
				const page = await open("/");
				await checkOut(page);
				await page.press("Buy Now", { times: 2 });
				await expectReceipt(page);
				await page.expectBasket(0);
			}),
	},
	"a declined card keeps the basket, and a good one then pays": {
		causes: 402,
		run: ({ shop, open }) => expectAdded(shop, "orders", 1, async () => buyAfterDecline(await open("/"))),
	},
	"3-D Secure fails, is canceled and is completed": {
		causes: 402,
		async run({ open }) {
			const page = await open("/");
			await checkOut(page, authenticatedCard);
			for (const answer of ["Fail authentication", "Close without paying"]) {
				await page.press("Buy Now");
				await page.press(answer, { frame: bankFrame });
				await page.expectText("We are unable to authenticate your payment method.");
				await page.expectBasket(1);
			}
			await page.press("Buy Now");
			await page.press("Complete authentication", { frame: bankFrame });
			await expectReceipt(page);
		},
	},
	"an account is created, a wrong password is refused, and a second window shows the sign-out": {
		causes: 400,
		async run({ open }) {
			const page = await open("/login");
			const email = await createAccount(page);
			const other = await open("/orders");
			await other.expectText(`Hello ${email}`);
			await page.press("Sign Out");
			await page.expectText("Hello Guest");
			await other.expectText("Hello Guest");
			await page.press("Sign In");
			await fillIn(page, email);
			await page.type("[name=password]", "a wrong password");
			await page.press("Sign In");
			await page.expectAlert("Email or password is incorrect.");
			await page.expectText("Email or password is incorrect.");
		},
	},
	"an order appears on /orders in another window of the customer": {
		async run({ open }) {
			const page = await open("/login");
			await createAccount(page);
			const other = await open("/orders");
			await other.expectText("You haven't ordered anything yet.");
			await other.evaluate(() => void Object.assign(window, { isMarked: true }));
			await checkOut(page);
			await page.press("Buy Now");
			await expectReceipt(page);
			await other.expectText(`Order Total: ${speaker.price}`);
			await other.expect("no reload", () => "isMarked" in window);
		},
	},
	"the basket is kept after another document and Back": {
		async run({ open }) {
			const page = await open("/");
			await page.press(`Add to Basket: ${mixer.title}`);
			await page.expectBasket(1);
			await leaveAndReturn(page, "/");
		},
	},
	"after a decline, the basket is kept after another document and Back": {
		causes: 402,
		async run({ open }) {
			const page = await open("/");
			await checkOut(page, declinedCard);
			await page.press("Buy Now");
			await page.expectText("Your card was declined.");
			await leaveAndReturn(page, "/payment");
		},
	},
	"after a payment, the basket is kept after another document and Back": {
		async run({ open }) {
			const page = await open("/");
			await checkOut(page);
			await page.press("Buy Now");
			await expectReceipt(page);
			await page.press("Home");
			await page.press(`Add to Basket: ${mixer.title}`);
			await page.expectBasket(1);
			await leaveAndReturn(page, "/");
		},
	},
	"a theme that another document has chosen applies after Back": {
		async run({ open }) {
			const page = await open("/");
			await page.press("Light");
			await page.leaveFor("/orders");
			await page.press("Dark");
			await page.expect("the dark theme", () => document.documentElement.dataset["theme"] === "dark");
			await page.back("/");
			await page.expect("the dark theme after Back", () => document.documentElement.dataset["theme"] === "dark");
		},
	},
	"a customer who has signed in on another document is greeted after Back": {
		async run({ open }) {
			const page = await open("/");
			await page.expectText("Hello Guest");
			await page.leaveFor("/login");
			const email = await createAccount(page);
			await page.evaluate(() => void Object.assign(window, { isLater: true }));
			await page.back("/", 2);
			await page.expect("the first document", () => !("isLater" in window));
			await page.expectText(`Hello ${email}`);
		},
	},
	"without cookies, every page works": {
		refusesCookies: true,
		causes: 404,
		async run({ open }) {
			const page = await open("/");
			await visitAll(page);
			await page.press("Dark");
			await page.expect("the dark theme", () => document.documentElement.dataset["theme"] === "dark");
			await page.press(`Add to Basket: ${mixer.title}`);
			await page.expectBasket(1);
			await page.press("Basket, 1 item");
			await page.expectText("Subtotal (1 item)");
		},
	},
	"without cookies, a guest buys at the first click and sees the receipt": {
		refusesCookies: true,
		run: ({ shop, open }) =>
			expectAdded(shop, "orders", 1, async () => {
				const page = await open("/");
				await checkOut(page);
				await page.press("Buy Now");
				await expectReceipt(page);
			}),
	},
	"without cookies, a guest buys after a decline and sees the receipt": {
		refusesCookies: true,
		causes: 402,
		run: ({ shop, open }) => expectAdded(shop, "orders", 1, async () => buyAfterDecline(await open("/"))),
	},
	"without cookies, the form says why no one can sign in, and creates no account": {
		refusesCookies: true,
		causes: 400,
		run: ({ shop, open }) =>
			expectAdded(shop, "users", 0, async () => {
				const page = await open("/");
				for (const button of ["Sign In", "Create account"]) {
					await page.open("/login");
					await fillIn(page);
					await page.press(button);
					await page.expect(`"cookies" in the form after ${button}`, () =>
						/cookies/i.test(document.querySelector("form")?.textContent ?? ""),
					);
				}
			}),
	},
	"at a phone's width, no page logs an error or scrolls sideways": {
		causes: 404,
		async run({ open }) {
			const page = await open("/");
			await page.narrow();
			await visitAll(page);
		},
	},
};
