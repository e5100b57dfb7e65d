import type { PaymentIntentResult, StripeCardElementChangeEvent, StripeCardElementOptions } from "@stripe/stripe-js";
import { cardSize } from "./card-size.ts";
import { ElementEvents } from "./element-events.ts";
import { IntegrationError } from "./integration-error.ts";
import { type Confirmation, type FromFrame, type FromPage, HELLO } from "./messages.ts";
import { noAnswer, PATIENCE } from "./payment-api.ts";

const states = ["empty", "focus", "complete", "invalid"] as const;
let frames = 0;
let calls = 0;

/** The card element as the page knows it: an iframe that does the work, and the events and classes it causes. */
export class CardElement extends ElementEvents {
	readonly #calls = new Map<number, (result: PaymentIntentResult) => void>();
	readonly #onDestroy: () => void;
	#options: StripeCardElementOptions;
	#state = { empty: true, focus: false, complete: false, invalid: false };
	#mounted: { container: HTMLElement; stop: AbortController } | null = null;
	#port: MessagePort | null = null;
	#waiting: FromPage[] = [];
	#destroyed = false;

	constructor(options: StripeCardElementOptions, onDestroy: () => void) {
		super();
		this.#options = options;
		this.#onDestroy = onDestroy;
	}

	mount(target: string | HTMLElement): void {
		if (this.#destroyed) throw new IntegrationError("This Element has been destroyed. Create a new one.");
		const container = typeof target === "string" ? document.querySelector<HTMLElement>(target) : target;
		if (!container) throw new IntegrationError(`There is nothing to mount the card Element in at ${target}.`);
		if (this.#mounted?.container === container) return;
		this.unmount();
		const stop = new AbortController();
		this.#mounted = { container, stop };
		const iframe = cardFrame();
		const wrapper = document.createElement("div");
		wrapper.className = "__PrivateStripeElement";
		wrapper.appendChild(iframe);
		container.replaceChildren(wrapper);
		this.#showState();

		const resize = new ResizeObserver(() => this.#resize());
		resize.observe(container);
		stop.signal.addEventListener("abort", () => resize.disconnect());
		const lost = setTimeout(() => this.emit("loaderror", { error: noAnswer() }), PATIENCE);
		stop.signal.addEventListener("abort", () => clearTimeout(lost));
		const hear = ({ data, source }: MessageEvent) => {
			// The frame is sandboxed and has no origin to go by: it is who it is because it is in our iframe.
			if (data !== HELLO || source !== iframe.contentWindow || !iframe.contentWindow) return;
			clearTimeout(lost);
			iframe.contentWindow.postMessage(null, "*", [this.#newPort()]);
		};
		window.addEventListener("message", hear, { signal: stop.signal });
		const label = container.closest("label") ?? document.querySelector(`label[for="${CSS.escape(container.id)}"]`);
		label?.addEventListener("click", () => this.focus(), { signal: stop.signal });
		this.#resize();
	}

	unmount(): void {
		if (!this.#mounted) return;
		const { container, stop } = this.#mounted;
		stop.abort();
		this.#port?.close();
		this.#port = null;
		this.#waiting = [];
		this.#mounted = null;
		for (const settle of this.#calls.values()) settle({ error: noAnswer() });
		this.#hideState(container);
		container.replaceChildren();
		this.#state = { empty: true, focus: false, complete: false, invalid: false };
	}

	destroy(): void {
		this.unmount();
		this.#destroyed = true;
		this.#onDestroy();
	}

	update(options: StripeCardElementOptions): void {
		if (this.#destroyed) throw new IntegrationError("This Element has been destroyed. Create a new one.");
		if (this.#mounted) this.#hideState(this.#mounted.container);
		this.#options = { ...this.#options, ...options };
		this.#showState();
		this.#resize();
		this.#send({ say: "options", options: this.#options });
	}

	focus(): void {
		this.#send({ say: "focus" });
	}

	blur(): void {
		this.#send({ say: "blur" });
	}

	clear(): void {
		this.#send({ say: "clear" });
	}

	/** Has the frame send its card with a confirmation. Never rejects for what becomes of the payment; throws an
	 *  IntegrationError for an element that is not on the page. */
	confirm(confirmation: Confirmation): Promise<PaymentIntentResult> {
		if (!this.#mounted) throw new IntegrationError("The card Element is not mounted: there is no card to pay with.");
		return new Promise((resolve) => {
			const call = ++calls;
			const settle = (result: PaymentIntentResult) => {
				clearTimeout(timer);
				this.#calls.delete(call);
				resolve(result);
			};
			const timer = setTimeout(() => settle({ error: noAnswer() }), PATIENCE);
			this.#calls.set(call, settle);
			this.#send({ say: "confirm", call, confirmation });
		});
	}

	#send(message: FromPage): void {
		if (this.#port) this.#port.postMessage(message);
		else if (this.#mounted) this.#waiting.push(message);
	}

	#newPort(): MessagePort {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = ({ data }) => this.#hear(data);
		this.#port = port1;
		this.#send({ say: "options", options: this.#options });
		for (const message of this.#waiting.splice(0)) this.#send(message);
		return port2;
	}

	#hear(message: FromFrame): void {
		if (message.say === "confirmed") this.#calls.get(message.call)?.(message.result);
		else if (message.say === "submit") submitForm(this.#mounted?.container.closest("form"));
		else if (message.say === "change") this.#change(message.event);
		else {
			if (message.say === "focus" || message.say === "blur") this.#state.focus = message.say === "focus";
			this.#showState();
			this.emit(message.say);
		}
	}

	#change(event: StripeCardElementChangeEvent): void {
		const { complete, empty, error } = event;
		this.#state = { ...this.#state, complete, empty, invalid: error !== undefined };
		this.#showState();
		this.emit("change", event);
	}

	#resize(): void {
		const frame = this.#mounted?.container.querySelector("iframe");
		if (frame) frame.style.height = `${cardSize(frame.clientWidth, this.#options.style).height}px`;
	}

	#showState(): void {
		if (!this.#mounted) return;
		const { classList } = this.#mounted.container;
		classList.add(...this.#classNames("base"));
		for (const name of states) for (const one of this.#classNames(name)) classList.toggle(one, this.#state[name]);
	}

	#hideState(container: HTMLElement): void {
		for (const name of ["base", ...states] as const) container.classList.remove(...this.#classNames(name));
	}

	#classNames(name: "base" | (typeof states)[number]): string[] {
		const standard = name === "base" ? "StripeElement" : `StripeElement--${name}`;
		return (this.#options.classes?.[name] ?? standard).split(/\s+/).filter((one) => one !== "");
	}
}

function cardFrame(): HTMLIFrameElement {
	const iframe = document.createElement("iframe");
	iframe.name = `__privateStripeFrame${++frames}`;
	iframe.title = "Secure card payment input frame";
	iframe.src = "/stripe-emulator/card-frame";
	Object.assign(iframe.style, { border: "0", colorScheme: "light", display: "block", width: "100%" });
	return iframe;
}

/** As pressing Enter in a field of the page's own would: not past a disabled button. */
function submitForm(form: HTMLFormElement | null | undefined): void {
	const button = form?.querySelector<HTMLButtonElement>("button:not([type]), [type=submit]");
	if (!button?.disabled) form?.requestSubmit();
}
