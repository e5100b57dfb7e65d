import type { PaymentIntentResult, StripeCardElementOptions } from "@stripe/stripe-js";
import { CardFields } from "./card-fields.ts";
import { cardSize } from "./card-size.ts";
import { applyStyle } from "./card-style.ts";
import { type Confirmation, type FromFrame, type FromPage, HELLO } from "./messages.ts";
import { paymentIntentId, postConfirmation } from "./payment-api.ts";

/** The script of the card frame: it holds the card and sends it to the API itself. The page learns no more than what a
 *  change event says. */

let port: MessagePort | undefined;
let options: StripeCardElementOptions = {};
let lastChange = "";
const fields = new CardFields(tellChange);

function tell(message: FromFrame): void {
	port?.postMessage(message);
}

function tellChange(): void {
	const { brand, complete, empty, problem: error } = fields;
	const change = JSON.stringify({ brand, complete, empty, error });
	if (change === lastChange) return;
	lastChange = change;
	tell({ say: "change", event: { elementType: "card", brand, complete, empty, error, value: { postalCode: "" } } });
}

function show(asked: StripeCardElementOptions): void {
	options = asked;
	applyStyle(options.style ?? {});
	fields.disable(options.disabled ?? false);
	document.querySelector(".brand")?.toggleAttribute("hidden", options.hideIcon ?? false);
	lay();
}

function lay(): void {
	const card = document.querySelector<HTMLElement>(".card");
	const { rows, rowHeight } = cardSize(window.innerWidth, options.style);
	card?.classList.toggle("two-rows", rows === 2);
	card?.style.setProperty("--row-height", `${rowHeight}px`);
}

async function confirm({ key, clientSecret, billing, returnUrl }: Confirmation): Promise<PaymentIntentResult> {
	fields.leaveAll();
	if (fields.problem) return { error: fields.problem };
	const id = paymentIntentId(clientSecret);
	if (!id) throw new Error("The page sent no client secret.");
	const form = new URLSearchParams({ "payment_method_data[type]": "card", ...fields.form });
	for (const [name, value] of Object.entries(billing)) form.set(`payment_method_data[billing_details][${name}]`, value);
	if (returnUrl !== undefined) form.set("return_url", returnUrl);
	form.set("use_stripe_sdk", "true");
	form.set("key", key);
	form.set("client_secret", clientSecret);
	return postConfirmation(id, form);
}

async function hear(message: FromPage): Promise<void> {
	if (message.say === "options") show(message.options);
	else if (message.say === "confirm") {
		tell({ say: "confirmed", call: message.call, result: await confirm(message.confirmation) });
	} else fields[message.say]();
}

window.addEventListener("message", ({ source, ports: [offered] }) => {
	if (source !== window.parent || !offered) return;
	port = offered;
	port.onmessage = ({ data }) => void hear(data);
	tell({ say: "ready" });
});
window.addEventListener("resize", lay);
document.addEventListener("focusin", ({ relatedTarget }) => {
	if (!relatedTarget) tell({ say: "focus" });
});
document.addEventListener("focusout", ({ relatedTarget }) => {
	if (!relatedTarget) tell({ say: "blur" });
});
document.addEventListener("keydown", (event) => {
	if (event.key === "Escape") tell({ say: "escape" });
	if (event.key !== "Enter") return;
	// The sandbox lets no form be submitted here; the one to submit is the page's.
	event.preventDefault();
	tell({ say: "submit" });
});

lay();
window.parent.postMessage(HELLO, "*");
