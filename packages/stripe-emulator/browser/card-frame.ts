import { CardFields } from "./card-fields.ts";
import { applyStyle } from "./card-style.ts";
import { elementHeight } from "./element-height.ts";
import { isCardElementType } from "./element-types.ts";
import { check, connectFields } from "./field-frame.ts";
import type { Change, Delivery, ElementOptions, Result } from "./messages.ts";
import { post } from "./payment-api.ts";
import { named, sendCard } from "./send-card.ts";

/** The script of the card frames, which send card data only to the API. */

const elementType = String(document.forms[0]?.dataset["element"]);
if (!isCardElementType(elementType)) throw new Error("The card frame's document names no card Element.");
const type = elementType;

let options: ElementOptions = { hidePostalCode: true };
const fields = new CardFields();

connectFields(fields, describe, (message, reply) => {
	if (message.say === "options") show(message.options);
	else if (message.say === "brand") fields.siblingBrand = message.brand;
	else if (message.say === "part") void sendPart(message.key).then(reply);
	else if (message.say === "deliver") void deliver(message.delivery).then(reply);
});

function describe(): Change {
	const { brand, complete, empty, problem: error } = fields;
	const value = type === "card" && { value: { postalCode: fields.value("postal") } };
	return { elementType: type, complete, empty, error, ...(brand && { brand }), ...value };
}

function show(newOptions: ElementOptions): void {
	const postalCode = newOptions.value?.postalCode;
	const isNewPostalCode = postalCode !== options.value?.postalCode;
	options = newOptions;
	applyStyle(options.style ?? {});
	fields.disable(options.disabled ?? false);
	fields.prompt(options.placeholder);
	fields.showPostal(options.hidePostalCode !== true);
	if (isNewPostalCode) fields.fill({ postal: postalCode });
	const hidden = type === "card" ? (options.hideIcon ?? false) : !options.showIcon;
	const brand = document.querySelector(".brand");
	brand?.toggleAttribute("hidden", hidden);
	brand?.classList.toggle("solid", options.iconStyle === "solid");
	lay();
}

function lay(): void {
	const { rows, rowHeight } = elementHeight(type, window.innerWidth, options);
	const box = document.querySelector<HTMLElement>(".fields");
	box?.classList.toggle("with-postal", options.hidePostalCode !== true);
	box?.classList.toggle("two-rows", rows === 2);
	box?.classList.toggle("three-rows", rows === 3);
	box?.style.setProperty("--row-height", `${rowHeight}px`);
}

/** Sends this frame's part of the card to the API and resolves to the part's id. */
async function sendPart(key: string): Promise<Result<string>> {
	const { error: problem } = check(fields);
	if (problem) return { error: problem };
	const { done, error } = await post<{ id: string }>("card_parts", { key, ...named("part", fields.card) });
	return error ? { error } : { done: done.id };
}

async function deliver(delivery: Delivery): Promise<Result<unknown>> {
	const { error } = check(fields);
	return error ? { error } : sendCard(delivery, fields.card, { postal_code: fields.value("postal") });
}

window.addEventListener("resize", lay);
lay();
