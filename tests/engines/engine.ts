/** An element: the first visible one that the selector matches and whose accessible name or text begins with `name`. */
export interface Target {
	selector: string;
	name?: string;
	/** The selector of the iframe that contains the element. */
	frame?: string;
}

/** A window of a browser. A method rejects if the driver fails or the page is just being replaced. */
export interface Window {
	/** Starts to load a document. */
	open(url: string): Promise<unknown>;
	/** Calls a function in the page. It can use only its arguments. */
	evaluate<Args extends unknown[], Result>(call: (...args: Args) => Result, ...args: Args): Promise<Result>;
	/** Clicks an element as a mouse does. Resolves to false if there is none. */
	click(target: Target, times: number): Promise<boolean>;
	/** Replaces the text of a field as a keyboard does; a line break is the Enter key. Resolves to false if there is none. */
	type(target: Target, text: string): Promise<boolean>;
	/** Makes the window as narrow as a phone, or as close to it as the browser allows. */
	narrow(): Promise<unknown>;
	/** Accepts the alert that is shown, and resolves to its text, or to null if there is none. */
	acceptAlert(): Promise<string | null>;
}

/** A browser with a profile of its own. */
export interface Browser {
	openWindow(): Promise<Window>;
	/** Errors in the console, uncaught errors and violations of the content security policy, in all windows. */
	errors: string[];
	close(): Promise<unknown>;
}

export interface Engine {
	name: string;
	/** The Debian packages that contain the browser and its driver. */
	packages: string[];
	/** Lists the programs that are missing. */
	missing(): string[];
	/** Starts a browser. With `refusesCookies`, it refuses cookies and site data. */
	start(options: { refusesCookies: boolean }): Promise<Browser>;
	/** Ends what the browsers share. */
	stop(): Promise<unknown>;
}

/** The time limit of a call to a driver, in milliseconds. A driver that takes longer hangs. */
export const driverTimeout = 30_000;

/** Finds a target in the page in which it runs. The bank's iframe is in a shadow root. */
export function findElement(selector: string, name: string): Element | null {
	const nameOf = (element: Element) => (element.getAttribute("aria-label") ?? element.textContent ?? "").trim();
	const roots = [document, ...[...document.body.children].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
	const elements = roots.flatMap((root) => [...root.querySelectorAll(selector)]);
	return elements.find((element) => element.checkVisibility() && nameOf(element).startsWith(name)) ?? null;
}
