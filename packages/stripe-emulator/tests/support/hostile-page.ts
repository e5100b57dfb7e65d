import type { Stripe } from "@stripe/stripe-js";
import { PUBLISHABLE_KEY } from "../../keys.ts";

/** A compromised page on the host's origin that tries to steal the card and writes everything it captures to a <pre>.
 *  With ?through=stripe, Stripe.js mounts the CardElement and the page intercepts all events and messages. With
 *  ?through=frame, the page mounts the frame itself, in place of Stripe.js. */

const query = new URLSearchParams(location.search);
const clientSecret = query.get("client_secret") ?? "";
const seen: unknown[] = [location.href, document.referrer];

function note(what: string, value: unknown): void {
	seen.push([what, value]);
}

/** Records an expression's result or error. */
async function attempt(what: string, act: () => unknown): Promise<void> {
	try {
		const value = await act();
		note(what, typeof value === "object" ? JSON.parse(JSON.stringify(value) ?? "null") : String(value));
	} catch (error) {
		note(what, String(error));
	}
}

function listen(): void {
	window.addEventListener("message", ({ data }) => note("message", data), true);
	window.addEventListener("error", ({ message }) => note("error", message));
	const names = ["input", "change", "keydown", "keyup", "keypress", "beforeinput", "paste", "focusin", "focusout"];
	for (const name of names) {
		document.addEventListener(
			name,
			(event) => note(name, event instanceof KeyboardEvent ? event.key : event.target),
			true,
		);
	}
	const onmessage = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
	Object.defineProperty(MessagePort.prototype, "onmessage", {
		set(handler: (event: MessageEvent) => void) {
			onmessage?.set?.call(this, (event: MessageEvent) => {
				note("port", event.data);
				handler(event);
			});
		},
	});
	const { fetch } = window;
	window.fetch = async (...request) => {
		note("fetch", request);
		const response = await fetch(...request);
		note("fetched", await response.clone().text());
		return response;
	};
}

/** Reads what scripts of a page can reach: the frames' documents, the page's markup and its requests. */
function look(): void {
	for (const { contentWindow } of document.querySelectorAll("iframe")) {
		void attempt("frame", () => contentWindow?.document.documentElement.outerHTML);
	}
	void attempt("page", () => document.documentElement.outerHTML);
	void attempt("resources", () => performance.getEntriesByType("resource").map(({ name }) => name));
}

async function loadStripe(): Promise<Stripe> {
	const script = document.createElement("script");
	script.src = "/stripe-emulator/stripe.js";
	await new Promise((resolve) => {
		script.onload = resolve;
		document.head.appendChild(script);
	});
	if (!window.Stripe) throw new Error("There is no Stripe.js at /stripe-emulator/stripe.js.");
	return window.Stripe(PUBLISHABLE_KEY);
}

/** Calls every function of Stripe.js and listens to every event. */
async function throughStripe(): Promise<() => Promise<void>> {
	const stripe = await loadStripe();
	const element = stripe.elements().create("card");
	for (const event of ["ready", "change", "focus", "blur", "escape", "networkschange", "loaderror"]) {
		Reflect.apply(element.on, element, [event, (detail: unknown) => note(event, detail)]);
	}
	element.mount(document.body.appendChild(document.createElement("div")));
	return async () => {
		await attempt("element", () => ({ ...element }));
		await attempt("confirm", () => stripe.confirmCardPayment(clientSecret, { payment_method: { card: element } }));
		await attempt("retrieve", () => stripe.retrievePaymentIntent(clientSecret));
	};
}

const confirming = { key: PUBLISHABLE_KEY, client_secret: clientSecret, "payment_method_data[type]": "card" };

/** Messages that try to make the frame send its card elsewhere, or respond with card data. */
const messages = [
	...[
		{ ...confirming, client_secret: `${clientSecret}/../../leak` },
		{ ...confirming, "payment_method_data[card][number][echo]": "1" },
		{ ...confirming, "payment_method_data[billing_details][name]": "card[number]" },
		{ ...confirming, receipt_email: "payment_method_data[card][number]" },
		{ key: "sk_test_mine" },
		{},
	].map((form) => ({ say: "confirm", form })),
	...["card", "form", "value", "fields", "read", "leave", "toString", "constructor", "options"].map((say) => ({ say })),
	...["card", {}, { say: "deliver", to: "https://shop.example/leak" }, leakingStyle()],
];

function leakingStyle() {
	const leak = {
		backgroundColor: "url(/leak)",
		fontFamily: "x; } input[value^='3'] { background: url(/leak)",
		color: "url(/leak)",
	};
	return { say: "options", options: { style: { base: { ...leak, ":-webkit-autofill": leak }, complete: leak } } };
}

/** Mounts the frame and connects its message port to this page instead of Stripe.js. */
async function throughFrame(): Promise<() => Promise<void>> {
	let port: MessagePort | undefined;
	const iframe = document.body.appendChild(document.createElement("iframe"));
	iframe.src = "/stripe-emulator/card-frame";
	window.addEventListener("message", ({ data, source }) => {
		if (data !== "stripe-emulator-hello" || source !== iframe.contentWindow) return;
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = () => {};
		port = port1;
		iframe.contentWindow?.postMessage(null, "*", [port2]);
		// a second port, for eavesdropping
		const second = new MessageChannel();
		second.port1.onmessage = ({ data }) => note("second line", data);
		iframe.contentWindow?.postMessage(null, "*", [second.port2]);
	});
	// the frame handles messages in order and replies only to a confirmation
	const send = (message: object | string) =>
		new Promise<void>((resolve) => {
			const { port1, port2 } = new MessageChannel();
			port1.onmessage = () => resolve();
			port?.postMessage(message, [port2]);
		});
	return async () => {
		for (const message of messages) void send(message);
		await send({ say: "confirm", form: confirming });
	};
}

listen();
const attack = query.get("through") === "stripe" ? throughStripe() : throughFrame();
const button = document.body.appendChild(document.createElement("button"));
button.textContent = "Attack";
button.onclick = async () => {
	await (await attack)();
	look();
	document.body.appendChild(document.createElement("pre")).textContent = JSON.stringify(seen);
};
