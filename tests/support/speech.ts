import type { Frame, Locator, Page } from "@playwright/test";
import { tabTo } from "./browser.ts";
import { type Node, readTree, spoken, written } from "./transcript.ts";

/** Keeps what is heard while the page is used with the keyboard. Each key is followed by the changes of live regions and,
 *  if the focus moves, by what has it. Call it before the page is opened. */
export async function recordSpeech(page: Page) {
	await page.addInitScript(listen);
	const log: string[] = [];
	let focused = "";

	/** Returns what was heard since the last call, in which "focus" stands for the last move of the focus. */
	async function hear(): Promise<string[]> {
		focused = await focusedIn(page.mainFrame());
		return page.evaluate(() => Reflect.get(window, "heard").splice(0));
	}

	/** Waits for what the keys do, then adds it. */
	async function hearAfter(keys: string, done: () => Promise<unknown>): Promise<void> {
		await done();
		const before = focused;
		const heard = await hear();
		// a move to a frame is not an event of the page
		if (!heard.includes("focus")) heard.push("focus");
		const lines = heard.map((line) => (line === "focus" ? `focus: ${focused}` : line));
		log.push(keys, ...lines.filter((line) => line !== `focus: ${before}`).map((line) => `  ${line}`));
	}

	return {
		/** Presses Tab until `target` has focus. */
		async tabTo(target: Locator): Promise<void> {
			const presses = await tabTo(page, target);
			const heard = await hear();
			const said = heard.filter((line) => line !== "focus").map((line) => `  ${line}`);
			log.push(`Tab × ${presses} → ${focused}`, ...said);
		},
		async press(key: string, done: () => Promise<unknown>): Promise<void> {
			await page.keyboard.press(key);
			await hearAfter(key, done);
		},
		async type(text: string, done: () => Promise<unknown>): Promise<void> {
			await page.keyboard.type(text);
			await hearAfter(`types ${text}`, done);
		},
		transcript: () => written(log),
	};
}

/** Returns what is said for the element that has the focus, without its value. It may be in a frame inside. */
async function focusedIn(frame: Frame): Promise<string> {
	const active = await frame.evaluateHandle(() => {
		let element = document.activeElement;
		while (element?.shadowRoot) element = element.shadowRoot.activeElement;
		return element;
	});
	const inner = await active.asElement()?.contentFrame();
	if (inner) return focusedIn(inner);
	const isFocused = ({ properties }: Node) => properties?.some(({ name, value }) => name === "focused" && value.value);
	const node = (await readTree(frame)).findLast(isFocused);
	return node ? spoken({ ...node, value: { type: "string" } }) : "";
}

/** Runs in the page. Keeps in `window.heard` what each live region says, and the last move of the focus. */
function listen(): void {
	const heard: string[] = [];
	const last = new Map<HTMLElement, string>();
	Object.assign(window, { heard });

	function say(region: HTMLElement): void {
		// biome-ignore lint/performance/useDomNodeTextContent: textContent joins the words of adjacent blocks
		const text = region.innerText.replaceAll(/\s+/g, " ").trim();
		const verb = region.matches("[role=alert], [aria-live=assertive]") ? "interrupts" : "says";
		if (text !== "" && text !== last.get(region)) heard.push(`${verb}: ${text}`);
		last.set(region, text);
	}

	const observer = new MutationObserver((mutations) => {
		const regions = mutations.flatMap(({ target, addedNodes }) => {
			const parent = target instanceof Element ? target : target.parentElement;
			const changed = parent?.closest<HTMLElement>("[role=status], [role=alert], [aria-live]");
			// only an alert is said when it appears together with its text
			const alerts = document.querySelectorAll<HTMLElement>("[role=alert]");
			const appeared = [...alerts].filter((alert) => [...addedNodes].some((node) => node.contains(alert)));
			return changed ? [changed, ...appeared] : appeared;
		});
		for (const region of new Set(regions)) say(region);
	});
	document.addEventListener("focusin", () => {
		const index = heard.indexOf("focus");
		if (index >= 0) heard.splice(index, 1);
		heard.push("focus");
	});
	// what the document contains from the start is not said
	document.addEventListener("DOMContentLoaded", () =>
		observer.observe(document, { subtree: true, childList: true, characterData: true }),
	);
}
