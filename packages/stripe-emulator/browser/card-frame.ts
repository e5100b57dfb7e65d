import { CardFields } from "./card-fields.ts";
import { applyStyle } from "./card-style.ts";
import { elementHeight } from "./element-height.ts";
import { requireElementType } from "./element-types.ts";
import type { Delivery, ElementOptions, FromCardFrame, Result, ToCardFrame } from "./messages.ts";
import { PageConnection } from "./page-line.ts";
import { paymentIntentId, post } from "./payment-api.ts";

/** The script of the card frames, which send card data only to the API. Messages to the page contain no card data. */

const elementType = requireElementType(String(document.forms[0]?.dataset["element"]));

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
	else if (message.say === "brand") fields.siblingBrand = message.brand;
	else if (message.say === "focus") fields.focus();
	else if (message.say === "blur") fields.blur();
	else if (message.say === "clear") fields.clear();
	else if (message.say === "check") reply(check());
	else if (message.say === "part") void sendPart(message.key).then(reply);
	else if (message.say === "deliver") void deliver(message.delivery).then(reply);
}

/** Sends only changed state, so that the page cannot count key presses. */
function sendChange(): void {
	const { brand, complete, empty, problem: error, autofilled } = fields;
	const value = elementType === "card" && { value: { postalCode: "" } };
	sendIfChanged({ say: "autofill", autofilled });
	sendIfChanged({ say: "change", event: { elementType, complete, empty, error, ...(brand && { brand }), ...value } });
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
	fields.prompt(options.placeholder);
	const hidden = elementType === "card" ? (options.hideIcon ?? false) : !options.showIcon;
	const brand = document.querySelector(".brand");
	brand?.toggleAttribute("hidden", hidden);
	brand?.classList.toggle("solid", options.iconStyle === "solid");
	lay();
}

function lay(): void {
	const { rows, rowHeight } = elementHeight(elementType, window.innerWidth, options.style);
	const box = document.querySelector<HTMLElement>(".fields");
	box?.classList.toggle("two-rows", rows === 2);
	box?.style.setProperty("--row-height", `${rowHeight}px`);
}

function check(): Result<null> {
	fields.leave();
	return fields.problem ? { error: fields.problem } : { done: null };
}

/** Sends this frame's part of the card to the API and resolves to the part's id. */
async function sendPart(key: string): Promise<Result<string>> {
	const { error: problem } = check();
	if (problem) return { error: problem };
	const { done, error } = await post<{ id: string }>("card_parts", { key, ...named("part", fields.card) });
	return error ? { error } : { done: done.id };
}

async function deliver({ to, form, parts }: Delivery): Promise<Result<unknown>> {
	const { error } = check();
	if (error) return { error };
	const card = { ...fields.card, ...(parts && { expiry_part: parts.expiry, cvc_part: parts.cvc }) };
	if (to === "payment_methods" || to === "tokens") return post(to, { ...form, ...named("card", card) });
	const id = paymentIntentId(form["client_secret"] ?? "");
	if (to !== "confirm" || !id) throw new Error("The page requested an unknown card endpoint.");
	return post(`payment_intents/${id}/confirm`, { ...form, ...named("payment_method_data[card]", card) });
}

function named(prefix: string, values: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}[${name}]`, value]));
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
