/** The script of the console page. Updates the page, and submits its forms, without reloading it. Elements with
 *  `data-live`, and the children of elements with `data-rows`, are replaced only if the server's markup of them has
 *  changed, so that everything else keeps its focus, input and scroll position. */

/** Interval between updates, in milliseconds. */
const refreshDelay = 1000;
const typingDelay = 250;

let lastRequest = 0;
let lastShown = 0;
/** Why the last refresh failed; "" if it did not. */
let refreshError = "";

/** The server's markup of each live element and row, by id. */
const markup = new Map<string, string>();
const live = "[data-live], [data-rows] > *";

function remember(root: Document | Element): void {
	for (const element of root.querySelectorAll(live)) markup.set(element.id, element.outerHTML);
}

/** Fetches the page and updates this one, unless a later request has already updated it. Rejects with an Error whose
 *  message is displayed. */
async function show(path: string, init: RequestInit = {}): Promise<Document> {
	lastRequest += 1;
	const request = lastRequest;
	const response = await fetch(path, init).catch(() => {
		throw new Error("The emulator isn't responding.");
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${response.status}: ${reasonIn(text)}`);
	const fresh = new DOMParser().parseFromString(text, "text/html");
	if (request < lastShown) return fresh;
	lastShown = request;
	update(fresh);
	return fresh;
}

/** Returns the `error` of a JSON response, or the first 300 characters of anything else. */
function reasonIn(text: string): string {
	try {
		return String(JSON.parse(text).error);
	} catch {
		return text.slice(0, 300);
	}
}

function update(fresh: Document): void {
	document.title = fresh.title;
	for (const next of fresh.querySelectorAll<HTMLElement>("[data-key]")) {
		const old = document.getElementById(next.id);
		if (old && old.dataset["key"] !== next.dataset["key"]) replace(old, next);
	}
	document.getElementById("panes")?.setAttribute("class", fresh.getElementById("panes")?.className ?? "");
	for (const list of fresh.querySelectorAll("[data-rows]")) updateRows(list);
	for (const next of fresh.querySelectorAll(live)) {
		const old = document.getElementById(next.id);
		if (old && markup.get(next.id) !== next.outerHTML) replace(old, next);
	}
}

/** Removes the rows that are not in `fresh`, and inserts those that are new. */
function updateRows(fresh: Element): void {
	const list = document.getElementById(fresh.id);
	if (!list) return;
	for (const row of [...list.children]) if (!fresh.querySelector(`#${CSS.escape(row.id)}`)) row.remove();
	let place = list.firstElementChild;
	for (const row of fresh.children) {
		const old = document.getElementById(row.id);
		if (old && old === place) place = place.nextElementSibling;
		else list.insertBefore(old ?? imported(row), place);
	}
}

function imported(fresh: Element): Element {
	markup.set(fresh.id, fresh.outerHTML);
	remember(fresh);
	return document.importNode(fresh, true);
}

/** Replaces an element. Open details, changed fields and the focus are kept if the new element has a counterpart. */
function replace(old: Element, fresh: Element): void {
	const next = imported(fresh);
	for (const { id } of old.querySelectorAll("details[open][id]")) {
		next.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
	}
	const nextFields = fieldsOf(next);
	for (const [index, { name, value }] of fieldsOf(old).entries()) {
		const counterpart = nextFields[index];
		if (counterpart?.name === name) counterpart.value = value;
	}
	const focused = old.contains(document.activeElement) ? document.activeElement : null;
	old.replaceWith(next);
	if (!focused) return;
	const targets = next.querySelectorAll<HTMLElement>("a, button, input, select, summary, [tabindex]");
	[...targets].find((target) => target.tagName === focused.tagName && nameOf(target) === nameOf(focused))?.focus();
}

function fieldsOf(root: Element): (HTMLInputElement | HTMLSelectElement)[] {
	const fields = [...root.querySelectorAll("input:not([type=hidden]), select")];
	return fields.flatMap((field) =>
		field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? [field] : [],
	);
}

function nameOf(element: Element): string {
	return element.getAttribute("aria-label") ?? element.getAttribute("name") ?? element.textContent;
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
		await show(location.href);
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

/** Shows another view of the page, and sets the search form to it. */
async function follow(url: string): Promise<void> {
	try {
		const fresh = await show(url);
		const [form, freshForm] = [document.getElementById("search"), fresh.getElementById("search")];
		if (!form || !freshForm) return;
		const next = fieldsOf(freshForm);
		for (const [index, field] of fieldsOf(form).entries()) {
			if (field !== document.activeElement) field.value = next[index]?.value ?? "";
		}
	} catch (error) {
		setStatus(messageOf(error));
	}
}

async function visit(url: string): Promise<void> {
	const opened = new URL(location.href).searchParams.get("open");
	history.pushState(null, "", url);
	await follow(url);
	if (new URL(url).searchParams.get("open") === opened) return;
	document.getElementById("pane")?.scrollTo(0, 0);
	const isStacked = getComputedStyle(document.getElementById("activity") ?? document.body).display === "none";
	if (isStacked) scrollTo(0, 0);
	document.querySelector<HTMLElement>("#pane h2")?.focus({ preventScroll: true });
}

function urlOf(form: HTMLFormElement): string {
	const fields = [...new FormData(form)]
		.filter(([name]) => form.id !== "search" || name !== "open")
		.map(([name, value]) => [name, String(value)]);
	// what is open can have changed since the form was loaded
	if (form.id === "search") fields.push(["open", new URL(location.href).searchParams.get("open") ?? ""]);
	const filled = fields.filter(([, value]) => value !== "");
	return new URL(`?${new URLSearchParams(filled)}`, form.action).href;
}

async function send(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
	const name = button?.getAttribute("aria-label") ?? button?.textContent ?? "";
	const fields = [...new FormData(form, button)].map(([field, value]) => [field, String(value)]);
	for (const popover of document.querySelectorAll<HTMLElement>(":popover-open")) popover.hidePopover();
	setStatus(`${name}…`);
	try {
		await show(form.action, { method: "POST", body: new URLSearchParams(fields) });
		setStatus(`Done: ${name}`);
	} catch (error) {
		setStatus(`${name}: ${messageOf(error)}`);
	}
}

async function copy(text: string): Promise<void> {
	try {
		await navigator.clipboard.writeText(text);
		setStatus(`Copied: ${text.split("\n", 1)[0]}`);
	} catch (error) {
		setStatus(`Not copied: ${messageOf(error)}`);
	}
}

document.addEventListener("submit", (event) => {
	if (!(event.target instanceof HTMLFormElement)) return;
	event.preventDefault();
	if (event.target.method === "post") void send(event.target, event.submitter);
	else void visit(urlOf(event.target));
});

document.addEventListener("click", (event) => {
	if (!(event.target instanceof Element) || event.button > 0 || event.metaKey || event.ctrlKey || event.shiftKey)
		return;
	const button = event.target.closest<HTMLElement>("[data-copy]");
	if (button) void copy(button.dataset["copy"] ?? "");
	const link = event.target.closest("a");
	if (link?.origin !== location.origin || link.pathname !== location.pathname) return;
	event.preventDefault();
	void visit(link.href);
});

let typing: ReturnType<typeof setTimeout> | undefined;
document.addEventListener("input", ({ target }) => {
	const form = target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.form : null;
	if (form?.method !== "get") return;
	clearTimeout(typing);
	typing = setTimeout(() => {
		const url = urlOf(form);
		history.replaceState(null, "", url);
		void follow(url);
	}, typingDelay);
});

addEventListener("popstate", () => void follow(location.href));
document.addEventListener("visibilitychange", () => {
	if (document.visibilityState === "visible") void refresh();
});

const header = document.querySelector("header");
const measure = new ResizeObserver(() => {
	document.documentElement.style.setProperty("--header", `${header?.offsetHeight ?? 0}px`);
});
if (header) measure.observe(header);

remember(document);
setTimeout(keepFresh, refreshDelay);

export {};
