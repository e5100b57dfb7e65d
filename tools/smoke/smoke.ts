import { type Browser, type BrowserContext, chromium, expect, type Page } from "@playwright/test";
import Stripe from "stripe";
import playwright from "../../tests/playwright.config.ts";
import { buyNow, goodCard, typeCard } from "../../tests/support/card.ts";

export interface Target {
	/** The address of the shop. */
	address: URL;
	/** Stripe's API, or the emulator's; null without a key. */
	stripe: Stripe | null;
	/** The URL that runs the cron; null if only Cloudflare can run it. */
	cron: URL | null;
	/** More arguments for the browser. */
	args?: string[];
}

export interface Check {
	/** What is expected. */
	expected: string;
	/** What to do if it fails, unless the failure says it. */
	fix: string;
	/** Returns what was seen. Throws an Unmet, a NotRun, or Playwright's error. */
	run(smoke: Smoke): Promise<string>;
}

/** What was seen in place of what was expected, and what to do. */
export class Unmet extends Error {
	readonly fix: string | undefined;

	constructor(seen: string, fix?: string) {
		super(seen);
		this.fix = fix;
	}
}

/** The reason why a check cannot run. */
export class NotRun extends Error {}

type Result = "passed" | "failed" | "not run";

export const setKeys =
	"Put the three keys of one Stripe account: `npx wrangler secret put NAME --env production`, or .dev.vars for a local shop.";

/** Timeout of a step in the browser, in milliseconds. */
export const timeout = 30_000;

/** The environment variables that the browser receives. The others may be secrets, and the page is a stranger's. */
const variables = /^(HOME|LANG|LD_LIBRARY_PATH|PATH|TMPDIR|XDG_\w+|(https?|no)_proxy)$/i;

/** Starts a browser for checks of a shop. `print` receives a line for each. Close it when done. */
export async function openSmoke(target: Target, print: (line: string) => void): Promise<Smoke> {
	const { launchOptions } = playwright.use ?? {};
	const shared = launchOptions?.args?.filter((arg) => arg !== "--no-sandbox") ?? [];
	const args = [...shared, ...(target.args ?? [])];
	const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => variables.test(name)));
	const launch = (chromiumSandbox: boolean) => chromium.launch({ ...launchOptions, args, env, chromiumSandbox });
	// Chromium does not start with a sandbox as root, or where user namespaces are disabled
	return new Smoke(target, print, await launch(true).catch(() => launch(false)));
}

/** A customer of the shop, in a browser. */
export class Smoke {
	readonly target: Target;
	readonly print: (line: string) => void;
	readonly results = new Map<string, Result>();
	/** What the Content-Security-Policy has refused. */
	readonly refused: string[] = [];
	/** How long to wait for what a webhook changes, in milliseconds. */
	webhookTimeout = timeout;
	readonly email = `smoke-${crypto.randomUUID()}@example.com`;
	readonly #password = crypto.randomUUID();
	/** The ids of the paid orders, newest last. */
	readonly #orders: string[] = [];
	readonly #browser: Browser;
	#context: Promise<BrowserContext> | undefined;
	#tab: Page | undefined;
	#hasAccount = false;
	#violation = Promise.withResolvers<never>();

	constructor(target: Target, print: (line: string) => void, browser: Browser) {
		this.target = target;
		// what a page says must not forge a line or control the terminal
		this.print = (line) => print(line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " "));
		this.#browser = browser;
	}

	/** Runs a check until the first violation of the policy, and prints the result. */
	async run(name: string, { expected, fix, run }: Check): Promise<void> {
		this.#violation = Promise.withResolvers();
		this.#violation.promise.catch(() => {});
		const end = (result: Result, text: string) => {
			this.results.set(name, result);
			this.print(`${result.padEnd(9)}${name}: ${text}`);
		};
		try {
			end("passed", `expected ${expected}; saw ${await Promise.race([run(this), this.#violation.promise])}`);
		} catch (error) {
			if (!(error instanceof Error)) throw error;
			if (error instanceof NotRun) return end("not run", error.message);
			end("failed", `expected ${expected}; saw ${await this.#explain(name, error, fix)}`);
			this.#tab = undefined;
		} finally {
			for (const page of this.#openPages()) if (page !== this.#tab) await page.close();
		}
	}

	close(): Promise<void> {
		return this.#browser.close();
	}

	/** Stripe's API. Throws a NotRun without a key. */
	get stripe(): Stripe {
		if (this.target.stripe) return this.target.stripe;
		throw new NotRun("needs STRIPE_SECRET_KEY, a key in test mode");
	}

	/** Opens a page in the customer's browser. */
	async open(): Promise<Page> {
		this.#context ??= this.#newContext();
		return (await this.#context).newPage();
	}

	/** Returns the customer's tab, which is the latest purchase's unless it is closed. At the first call, creates the
	 *  account. */
	async tab(): Promise<Page> {
		if (this.results.get("account") === "failed") throw new NotRun("needs account, which has failed");
		if (this.#tab && !this.#tab.isClosed()) return this.#tab;
		this.#tab = await this.open();
		// a document of the shop without scripts, from which its pages can be fetched
		if (this.#hasAccount) await this.#tab.goto("/robots.txt");
		else await this.#signIn(this.#tab, "Create account");
		this.#hasAccount = true;
		return this.#tab;
	}

	/** Opens /orders in another browser of the customer, and waits until it has connected to the feed. */
	async watchOrders(): Promise<Page> {
		await this.tab();
		const page = await (await this.#newContext()).newPage();
		await this.#signIn(page, "Sign In");
		// a page loads its orders again after it has connected
		const connected = page.waitForResponse(/\/orders\.data/);
		await page.goto("/orders");
		await connected;
		return page;
	}

	/** Opens /payment with one product in the basket and types the card. Records the payments that it places. */
	async checkOut(card = goodCard): Promise<{ page: Page; placed: Set<string> }> {
		if (this.results.get("pay") === "failed") throw new NotRun("needs pay, which has failed");
		const page = await this.tab();
		const placed = new Set<string>();
		page.on("request", (request) => {
			const [id] = /pi_[A-Za-z0-9]+/.exec(request.postData() ?? "") ?? [];
			if (id && request.url().endsWith("/payments/place")) placed.add(id);
		});
		const home = page.getByRole("link", { name: "Home", exact: true }).first();
		if (await home.isVisible()) await home.click();
		else await page.goto("/");
		// the scripts of the page have run
		await page.locator("button[aria-pressed=true]").waitFor();
		await page.getByRole("button", { name: "Add to Basket" }).first().click();
		await page.getByRole("link", { name: "Basket, 1 item" }).click();
		await page.getByRole("link", { name: "Proceed to Checkout" }).click();
		const refusal = page.getByText("We can't take payments right now.");
		await page.locator('iframe[title="Secure card payment input frame"]').or(refusal).waitFor();
		if (await refusal.isVisible()) throw new Unmet("that the shop can't take payments", setKeys);
		await typeCard(page, card);
		return { page, placed };
	}

	/** Buys one product, with the card that `checkout` has typed. Returns the id of the payment. */
	async buy(checkout?: { page: Page; placed: Set<string> }): Promise<string> {
		const { page, placed } = checkout ?? (await this.checkOut());
		await buyNow(page).click();
		await page.getByRole("region", { name: "Your payment" }).waitFor();
		return this.#record(placed);
	}

	/** Buys one product, and closes the tab while Processing: what it tells the shop is lost. Returns the payment's id. */
	async buyAndLeave(): Promise<string> {
		const { page, placed } = await this.checkOut();
		await page.route(/\/payments\/(fulfill|outcome)$/, (route) => route.abort());
		const lost = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/payments/fulfill"));
		await buyNow(page).click();
		await lost;
		await page.close();
		return this.#record(placed);
	}

	/** Returns the id of the newest order, or of one that is older by `age` orders. */
	async order(age = 0): Promise<string> {
		while (this.#orders.length <= age) await this.buy();
		return this.#orders.at(-1 - age) ?? "";
	}

	/** Waits until /orders lists the order as expected. Reads the page as a prefetch, which fulfills no payment. */
	async expectOrder(id: string, isExpected = (order: string) => order.includes(id), timeout = this.webhookTimeout) {
		const page = await this.tab();
		const readOrder = async (id: string) => {
			const response = await fetch("/orders", { headers: { Purpose: "prefetch" } });
			const listed = new DOMParser().parseFromString(await response.text(), "text/html").querySelectorAll("article");
			return [...listed].map(({ textContent }) => textContent).find((text) => text.includes(id)) ?? "no such order";
		};
		await until(() => page.evaluate(readOrder, id), isExpected, timeout);
	}

	#record(placed: Set<string>): string {
		const [id, ...others] = placed;
		if (!id || others.length > 0) throw new Unmet(`${placed.size} payments (${[...placed].join(", ")})`);
		this.#orders.push(id);
		return id;
	}

	async #newContext(): Promise<BrowserContext> {
		const { address } = this.target;
		const context = await this.#browser.newContext({
			baseURL: address.href,
			ignoreHTTPSErrors: isLocal(address),
			reducedMotion: "reduce",
			viewport: { width: 390, height: 780 },
		});
		context.setDefaultTimeout(timeout);
		await context.exposeBinding("onViolation", (_, directive: string, url: string) => {
			const source = URL.canParse(url) ? new URL(url).origin : url;
			this.refused.push(`${directive} refused ${source}`);
			const fix = `If it is Stripe's, add ${source} to app/payments/stripe-config.server.ts.`;
			this.#violation.reject(new Unmet(`that ${directive} of the Content-Security-Policy refused ${source}`, fix));
		});
		await context.addInitScript(() => {
			const report: unknown = Reflect.get(window, "onViolation");
			// a frame has a policy of its own
			if (window !== top || typeof report !== "function") return;
			document.addEventListener("securitypolicyviolation", (event) =>
				report(event.effectiveDirective, event.blockedURI),
			);
		});
		return context;
	}

	async #signIn(page: Page, button: "Create account" | "Sign In"): Promise<void> {
		await page.goto("/login");
		const isLive = await page.evaluate(async () => (await (await fetch("/payment")).text()).includes("pk_live_"));
		if (isLive) throw new Unmet("a live key", "Deploy with keys in test mode: smoke pays with test cards.");
		await page.getByLabel("Email").fill(this.email);
		await page.getByLabel("Password").fill(this.#password);
		await page.getByRole("button", { name: button }).click();
		await page.getByText(`Hello ${this.email}`).waitFor();
	}

	/** Returns the open pages, newest last. */
	#openPages(): Page[] {
		return this.#browser.contexts().flatMap((context) => context.pages());
	}

	/** Takes a picture of the newest page. Returns what was seen, what to do, and the picture's path. */
	async #explain(name: string, error: Error, fix: string): Promise<string> {
		const page = this.#openPages().at(-1);
		const path = `test-results/smoke/${name}.png`;
		// a page that could not be loaded has no picture
		const picture = await page?.screenshot({ path }).catch(() => null);
		const [seen = ""] = error.message.split(/\.?\n|\.$/);
		const end = picture ? ` (${path})` : "";
		if (error instanceof Unmet) return `${seen}. ${error.fix ?? fix}${end}`;
		if (error instanceof Stripe.errors.StripeError) return `${seen}. Compare STRIPE_SECRET_KEY with the shop's.${end}`;
		const shown = page?.locator("h1, [role=alert]").allTextContents();
		const text = ((await shown?.catch(() => [])) ?? []).join(" ").replace(/\s+/g, " ").trim();
		return `${seen} on a page with "${text}". ${fix}${end}`;
	}
}

export const isLocal = ({ hostname }: URL) => hostname === "localhost" || hostname === "127.0.0.1";

/** Reads a value until it is as expected. Throws an Unmet with the last one after `timeout` milliseconds. */
export async function until<Value>(
	read: () => Promise<Value>,
	isExpected: (value: Value) => boolean,
	timeout: number,
): Promise<void> {
	let value: Value | undefined;
	const attempt = expect(async () => {
		value = await read();
		expect(isExpected(value)).toBe(true);
	});
	await attempt.toPass({ timeout }).catch(() => {
		throw new Unmet(`${value} after ${timeout / 1000} seconds`);
	});
}
