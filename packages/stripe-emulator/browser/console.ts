import { Idiomorph } from "idiomorph";

/** The script of the console page. Refreshes the sections and submits the forms without reloading the page. */

/** Interval between refreshes, in milliseconds. */
const refreshDelay = 1000;

let lastRequest = 0;
let lastShown = 0;
/** Why the last refresh failed; "" if it did not. */
let refreshError = "";

/** Fetches the page and updates its sections, unless a later request has already updated them. Rejects with an Error
 *  whose message is displayed. */
async function show(path: string, init: RequestInit = {}): Promise<void> {
	lastRequest += 1;
	const request = lastRequest;
	const response = await fetch(path, init).catch(() => {
		throw new Error("The emulator isn't responding.");
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${response.status}: ${reasonIn(text)}`);
	if (request < lastShown) return;
	lastShown = request;
	const fresh = new DOMParser().parseFromString(text, "text/html");
	for (const section of document.querySelectorAll("[data-fresh]")) {
		const counterpart = fresh.getElementById(section.id);
		// details opened by the user stay open
		if (counterpart) await Idiomorph.morph(section, counterpart, { callbacks: { beforeAttributeUpdated: isNotOpen } });
	}
}

function isNotOpen(name: string): boolean {
	return name !== "open";
}
/** Returns the `error` of a JSON response, or the first 300 characters of anything else. */
function reasonIn(text: string): string {
	try {
		return String(JSON.parse(text).error);
	} catch {
		return text.slice(0, 300);
	}
}

const status = document.getElementById("status");

function setStatus(text: string): void {
	if (status) status.textContent = text;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

async function refresh(): Promise<void> {
	try {
		await show(location.pathname);
		if (status?.textContent === refreshError) setStatus("");
		refreshError = "";
	} catch (error) {
		const message = `${messageOf(error)} Retrying…`;
		if (message !== refreshError) setStatus(message);
		refreshError = message;
	}
}

async function keepFresh(): Promise<void> {
	if (document.visibilityState === "visible") await refresh();
	setTimeout(keepFresh, refreshDelay);
}

async function send(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
	const name = button?.getAttribute("aria-label") ?? button?.textContent ?? "";
	const fields = [...new FormData(form, button)].map(([field, value]) => [field, String(value)]);
	setStatus(`${name}…`);
	try {
		await show(form.action, { method: "POST", body: new URLSearchParams(fields) });
		setStatus(`Done: ${name}`);
	} catch (error) {
		setStatus(`${name}: ${messageOf(error)}`);
	}
}

document.addEventListener("submit", (event) => {
	if (!(event.target instanceof HTMLFormElement)) return;
	event.preventDefault();
	void send(event.target, event.submitter);
});
document.addEventListener("visibilitychange", () => {
	if (document.visibilityState === "visible") void refresh();
});
setTimeout(keepFresh, refreshDelay);
