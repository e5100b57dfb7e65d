import type { Target, Window } from "./engine.ts";

/** The time in which a page must show what is expected, in milliseconds. Generous, because a busy machine is slow. */
const patience = 20_000;

/** An expectation that a page has not met. Other errors are the driver's. */
export class Unmet extends Error {}

/** What a customer sees and does in one window. Every method waits until the page allows it. */
export class Page {
	readonly window: Window;
	readonly #origin: URL;

	constructor(window: Window, origin: URL) {
		this.window = window;
		this.#origin = origin;
	}

	/** Opens a document of this server, and waits until React has hydrated it. */
	async open(path: string): Promise<void> {
		await this.window.evaluate(() => void Object.assign(window, { isLeft: true }));
		await this.window.open(new URL(path, this.#origin).href);
		// WebKit's driver does not wait for it
		await this.expect("another document", () => !("isLeft" in window));
		await this.arriveAt(path);
	}

	/** Waits until the window shows this path, and until React has hydrated the page, if it is one of the shop's. */
	arriveAt(path: string): Promise<unknown> {
		const isThere = (path: string) => {
			if (location.pathname !== path || document.readyState === "loading") return false;
			if (!document.querySelector("script[type=module]")) return true;
			// React sets aria-pressed on a theme button after hydration. Some pages have none
			if (document.querySelector(".foot")) return document.querySelector(".foot [aria-pressed=true]") !== null;
			return Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__reactFiber"));
		};
		return this.expect(`the page ${path}`, isThere, new URL(path, this.#origin).pathname);
	}

	/** Waits until `check` returns true in the page. */
	async expect<Args extends unknown[]>(
		expected: string,
		check: (...args: Args) => boolean,
		...args: Args
	): Promise<void> {
		await this.#until(expected, () => this.window.evaluate(check, ...args));
	}

	/** Waits until the page shows this text. */
	expectText(text: string): Promise<void> {
		// biome-ignore lint/performance/useDomNodeTextContent: textContent includes inline scripts
		return this.expect(`"${text}"`, (text) => document.body.innerText.replace(/\s+/g, " ").includes(text), text);
	}

	/** Waits until the basket in the header has this number of items. */
	expectBasket(items: number): Promise<void> {
		const isShown = (label: string) => document.querySelector(".basket")?.ariaLabel === label;
		return this.expect(`${items} in the basket`, isShown, `Basket, ${items} item${items === 1 ? "" : "s"}`);
	}

	async expectAlert(text: string): Promise<void> {
		const alert = await this.#until("an alert", () => this.window.acceptAlert());
		if (alert !== text) throw new Unmet(`expected the alert "${text}", but it was "${alert}"`);
	}

	/** Clicks a link or a button. */
	press(name: string, { times = 1, frame = "" } = {}): Promise<unknown> {
		return this.#act(
			{ selector: "a[href], button:not([aria-disabled=true])", name, ...(frame && { frame }) },
			(target) => this.window.click(target, times),
		);
	}

	type(selector: string, text: string, frame = ""): Promise<unknown> {
		return this.#act({ selector, ...(frame && { frame }) }, (target) => this.window.type(target, text));
	}

	/** Waits until the page has loaded everything, including the code of the other pages. */
	settle(): Promise<void> {
		return this.expect("the code of every page", () => {
			const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
			const files = document.getElementById("pages")?.textContent.match(/\/assets\/[^"]+/g) ?? [];
			return document.readyState === "complete" && files.every((file) => loaded.includes(file));
		});
	}

	/** Opens another document as a link does. A page that is still loading would not be kept for Back. */
	async leaveFor(path: string): Promise<void> {
		await this.settle();
		await this.window.evaluate((path) => void setTimeout(() => location.assign(path)), path);
		await this.arriveAt(path);
	}

	/** Goes back in the history. The drivers' own commands wait for a load that a page from the cache does not have. */
	async back(path: string, steps = 1): Promise<void> {
		await this.window.evaluate((steps) => void setTimeout(() => history.go(-steps)), steps);
		await this.arriveAt(path);
	}

	forward(path: string, steps = 1): Promise<void> {
		return this.back(path, -steps);
	}

	/** Starts to load the document again, as the shopper does. */
	reload(): Promise<void> {
		return this.window.evaluate(() => void setTimeout(() => location.reload()));
	}

	#act(target: Target, act: (target: Target) => Promise<boolean>): Promise<unknown> {
		return this.#until(`something to use: ${target.name ?? target.selector}`, () => act(target));
	}

	async #until<Result>(expected: string, probe: () => Promise<Result>): Promise<NonNullable<Result>> {
		const end = performance.now() + patience;
		for (;;) {
			// evaluating fails while another document replaces the page
			const failures: unknown[] = [];
			const result = await probe().catch((error: unknown) => void failures.push(error));
			if (result) return result;
			if (performance.now() > end) {
				if (failures.length > 0) throw failures[0];
				throw new Unmet(`expected ${expected}, but ${await this.#describe()}`);
			}
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	}

	#describe(): Promise<string> {
		return this.window.evaluate(() => {
			// biome-ignore lint/performance/useDomNodeTextContent: as above
			const text = document.querySelector("main")?.innerText.replace(/\s+/g, " ").slice(0, 300);
			return `${location.pathname} (${document.querySelector(".basket")?.ariaLabel}) shows "${text}"`;
		});
	}
}
