import { CardFields } from "./card-fields.ts";
import { applyStyle } from "./card-style.ts";
import { elementHeight } from "./element-height.ts";
import type { ElementOptions, FromCardFrame, Result, ToCardFrame } from "./messages.ts";
import { PageConnection } from "./page-connection.ts";
import { paymentIntentId, post } from "./payment-api.ts";

/** The script of the card frame, which sends the card number and security code only to the API. */

let options: ElementOptions = {};
let last = document.querySelector("input");
const lastSent = new Map<string, string>();
const page = new PageConnection<ToCardFrame, FromCardFrame>(open, onMessage);
const fields = new CardFields(sendChange);

function open(): void {
	lastSent.clear();
	page.send({ say: "ready" });
	sendChange();
}

/** The embedding page is untrusted: it can trigger only these actions. */
function onMessage(message: ToCardFrame, reply: (response: object) => void): void {
	if (message.say === "options") show(message.options);
	else if (message.say === "focus") fields.focus();
	else if (message.say === "blur") fields.blur();
	else if (message.say === "clear") fields.clear();
	else if (message.say === "confirm") void confirm(message.form).then(reply);
}

/** Sends only changed state, so that the page cannot count key presses. */
function sendChange(): void {
	const { brand, complete, empty, problem: error, autofilled } = fields;
	sendIfChanged({ say: "autofill", autofilled });
	sendIfChanged({ say: "change", event: { brand, complete, empty, error, value: { postalCode: "" } } });
}

function sendIfChanged(message: FromCardFrame): void {
	const serialized = JSON.stringify(message);
	if (lastSent.get(message.say) === serialized) return;
	lastSent.set(message.say, serialized);
	page.send(message);
}

function show(newOptions: ElementOptions): void {
	options = newOptions;
	applyStyle(options.style ?? {});
	fields.disable(options.disabled ?? false);
	const brand = document.querySelector(".brand");
	brand?.toggleAttribute("hidden", options.hideIcon ?? false);
	brand?.classList.toggle("solid", options.iconStyle === "solid");
	lay();
}

function lay(): void {
	const { rows, rowHeight } = elementHeight(window.innerWidth, options.style);
	const box = document.querySelector<HTMLElement>(".fields");
	box?.classList.toggle("two-rows", rows === 2);
	box?.style.setProperty("--row-height", `${rowHeight}px`);
}

/** Sends the card with the page's form to the API. Resolves to the API's result, or to the error of a field. */
async function confirm(form: Record<string, string>): Promise<Result<unknown>> {
	fields.leave();
	if (fields.problem) return { error: fields.problem };
	const id = paymentIntentId(form["client_secret"] ?? "");
	if (!id) throw new Error("The page sent no client secret.");
	const card = Object.entries(fields.card).map(([name, value]) => [`payment_method_data[card][${name}]`, value]);
	return post(`payment_intents/${id}/confirm`, { ...form, ...Object.fromEntries(card) });
}

window.addEventListener("resize", lay);
// restore the focused field after a dialog in the page closes, or after a click next to the fields
window.addEventListener("focus", () => setTimeout(() => document.activeElement === document.body && last?.focus()));
document.addEventListener("focusin", ({ target, relatedTarget }) => {
	if (target instanceof HTMLInputElement) last = target;
	if (!relatedTarget) page.send({ say: "focus" });
});
document.addEventListener("focusout", ({ relatedTarget }) => {
	if (!relatedTarget) page.send({ say: "blur" });
});
document.addEventListener("keydown", (event) => {
	if (event.key === "Escape") page.send({ say: "escape" });
	if (event.key !== "Enter") return;
	// the sandbox blocks form submission in the frame, so the page submits its own form
	event.preventDefault();
	page.send({ say: "submit" });
});

lay();
