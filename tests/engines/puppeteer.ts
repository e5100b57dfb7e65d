import type { BrowserContext, ElementHandle, Frame, Browser as Launched, LaunchOptions, Page } from "puppeteer-core";
import puppeteer from "puppeteer-core";
import { type Browser, driverTimeout, findElement, type Target, type Window } from "./engine.ts";

/** Returns the methods of an engine that puppeteer drives. The browsers share a process, and each has a context. */
export function launchWith(optionsFor: (refusesCookies: boolean) => Promise<LaunchOptions>) {
	const launched = new Map<boolean, Launched>();
	return {
		async start({ refusesCookies }: { refusesCookies: boolean }): Promise<Browser> {
			let browser = launched.get(refusesCookies);
			if (!browser?.connected) {
				const limits = { timeout: driverTimeout, protocolTimeout: driverTimeout };
				const common = { headless: true, acceptInsecureCerts: true, ...limits };
				browser = await puppeteer.launch({ ...common, ...(await optionsFor(refusesCookies)) });
				launched.set(refusesCookies, browser);
			}
			return contextOf(await browser.createBrowserContext());
		},
		async stop() {
			for (const browser of launched.values()) {
				// a browser that hangs does not close
				await Promise.race([browser.close(), new Promise((resolve) => setTimeout(resolve, 5000))]).catch(() => {});
				browser.process()?.kill("SIGKILL");
			}
			launched.clear();
		},
	};
}

function contextOf(context: BrowserContext): Browser {
	const errors: string[] = [];
	/** The page in front: a page in the background handles no input. */
	const front: { page?: Page } = {};
	return {
		errors,
		async openWindow() {
			const page = await context.newPage();
			front.page = page;
			page.on("console", (message) => {
				if (message.type() === "error") errors.push(`${message.text()} ${message.location().url ?? ""}`);
			});
			page.on("pageerror", (error) => {
				// in Firefox, leaving a document ends the responses that it reads with this error
				if (!String(error).includes("Error in input stream")) errors.push(String(error));
			});
			return windowOf(page, front);
		},
		close: () => context.close(),
	};
}

function windowOf(page: Page, front: { page?: Page }): Window {
	const alerts: string[] = [];
	page.on("dialog", async (dialog) => {
		if (dialog.type() === "alert") alerts.push(dialog.message());
		// Firefox may have closed it
		await dialog.accept().catch(() => {});
	});

	async function find({ selector, name = "", frame }: Target) {
		if (front.page !== page) await page.bringToFront();
		front.page = page;
		const query = async (inside: Page | Frame | null, ...query: [string, string]) => {
			const found = (await inside?.evaluateHandle(findElement, ...query))?.asElement();
			return (found as ElementHandle<HTMLElement> | null | undefined) ?? null;
		};
		if (!frame) return query(page, selector, name);
		const iframe = await query(page, frame, "");
		return query((await iframe?.contentFrame()) ?? null, selector, name);
	}

	return {
		open: (url) => page.goto(url, { waitUntil: "domcontentloaded" }),
		evaluate: (call, ...args) => page.evaluate(call as (...args: unknown[]) => never, ...args),
		async click(target, count) {
			const element = await find(target);
			// an instant scroll ends a smooth one, during which a click would hit something else
			await element?.evaluate((element: Element) => element.scrollIntoView({ block: "center", behavior: "instant" }));
			await element?.click({ count });
			return element !== null;
		},
		async type(target, text) {
			const element = await find(target);
			await element?.evaluate((field: Node) => field instanceof HTMLInputElement && field.select());
			await element?.type(text);
			return element !== null;
		},
		narrow: () => page.setViewport({ width: 390, height: 800 }),
		acceptAlert: async () => alerts.shift() ?? null,
	};
}
