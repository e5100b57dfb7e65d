import { CardFields } from "./card-fields.ts";
import { applyStyle } from "./card-style.ts";
import { elementHeight } from "./element-height.ts";
import { requireElementType } from "./element-types.ts";
import type { Delivery, ElementOptions, FromCardFrame, Result, ToCardFrame } from "./messages.ts";
import { PageLine } from "./page-line.ts";
import { paymentIntentId, post } from "./payment-api.ts";

/** The script of the card frames: they hold the card and send it to the API themselves. The page learns no more than
 *  what a change event says. */

const elementType = requireElementType(String(document.forms[0]?.dataset["element"]));

let options: ElementOptions = {};
let last = document.querySelector("input");
const lastTold = new Map<string, string>();
const line = new PageLine<ToCardFrame, FromCardFrame>(open, hear);
const fields = new CardFields(tellChange);

function open(): void {
	lastTold.clear();
	line.tell({ say: "ready" });
	tellChange();
}

/** The page may not be the one that it should be: it gets no more done here than these messages say. */
function hear(message: ToCardFrame, reply: (result: object) => void): void {
	if (message.say === "options") show(message.options);
	else if (message.say === "brand") fields.toldBrand = message.brand;
	else if (message.say === "focus") fields.focus();
	else if (message.say === "blur") fields.blur();
	else if (message.say === "clear") fields.clear();
	else if (message.say === "check") reply(check());
	else if (message.say === "part") void sendPart(message.key).then(reply);
	else if (message.say === "deliver") void deliver(message.delivery).then(reply);
}

/** Tells what is new and nothing else: not even how many keys were pressed. */
function tellChange(): void {
	const { brand, complete, empty, problem: error, autofilled } = fields;
	const value = elementType === "card" && { value: { postalCode: "" } };
	tellOnce({ say: "autofill", autofilled });
	tellOnce({ say: "change", event: { elementType, complete, empty, error, ...(brand && { brand }), ...value } });
}

function tellOnce(message: FromCardFrame): void {
	const told = JSON.stringify(message);
	if (lastTold.get(message.say) === told) return;
	lastTold.set(message.say, told);
	line.tell(message);
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

/** Sends what this frame has of a card, for the frame with the number to refer to. */
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
	if (to !== "confirm" || !id) throw new Error("The page says no address for its card that the API has.");
	return post(`payment_intents/${id}/confirm`, { ...form, ...named("payment_method_data[card]", card) });
}

function named(prefix: string, values: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}[${name}]`, value]));
}

window.addEventListener("resize", lay);
// A page behind a dialog loses its focused field; the focus that comes back belongs there, as does one by a click beside.
window.addEventListener("focus", () => setTimeout(() => document.activeElement === document.body && last?.focus()));
document.addEventListener("focusin", ({ target, relatedTarget }) => {
	if (target instanceof HTMLInputElement) last = target;
	if (!relatedTarget) line.tell({ say: "focus" });
});
document.addEventListener("focusout", ({ relatedTarget }) => {
	if (!relatedTarget) line.tell({ say: "blur" });
});
document.addEventListener("keydown", (event) => {
	if (event.key === "Escape") line.tell({ say: "escape" });
	if (event.key !== "Enter") return;
	// The sandbox lets no form be submitted here; the one to submit is the page's.
	event.preventDefault();
	line.tell({ say: "submit" });
});

lay();
