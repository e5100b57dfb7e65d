import { morph } from "./morph.ts";

/** The script of the page at /stripe-emulator/: keeps the lists fresh and sends the forms, so that nothing jumps. */

/** Milliseconds between two looks. */
const refreshDelay = 1000;

let requested = 0;
let shown = 0;
/** What has kept the last look from being one. */
let trouble = "";

/** Shows the page that a request comes to, unless a later request has shown one meanwhile. Rejects with what to tell the
 *  reader. */
async function show(path: string, init: RequestInit = {}): Promise<void> {
	requested += 1;
	const turn = requested;
	const response = await fetch(path, init).catch(() => {
		throw new Error("The emulator does not answer.");
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${response.status}: ${reasonIn(text)}`);
	if (turn < shown) return;
	shown = turn;
	const fresh = new DOMParser().parseFromString(text, "text/html");
	for (const section of document.querySelectorAll("[data-fresh]")) {
		const counterpart = fresh.getElementById(section.id);
		if (counterpart) morph(section, counterpart);
	}
}

/** Why a control was refused; of anything else, such as a failed Worker's page, the beginning. */
function reasonIn(text: string): string {
	try {
		return String(JSON.parse(text).error);
	} catch {
		return text.slice(0, 300);
	}
}

const status = document.getElementById("status");

function say(text: string): void {
	if (status) status.textContent = text;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

async function refresh(): Promise<void> {
	try {
		await show(location.pathname);
		if (status?.textContent === trouble) say("");
		trouble = "";
	} catch (error) {
		const again = `${messageOf(error)} Asking again…`;
		if (again !== trouble) say(again);
		trouble = again;
	}
}

async function keepFresh(): Promise<void> {
	if (document.visibilityState === "visible") await refresh();
	setTimeout(keepFresh, refreshDelay);
}

async function send(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
	const name = button?.getAttribute("aria-label") ?? button?.textContent ?? "";
	const fields = [...new FormData(form, button)].map(([field, value]) => [field, String(value)]);
	say(`${name}…`);
	try {
		await show(form.action, { method: "POST", body: new URLSearchParams(fields) });
		say(`Done: ${name}`);
	} catch (error) {
		say(`${name}: ${messageOf(error)}`);
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
