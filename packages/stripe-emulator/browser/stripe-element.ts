import type { PaymentIntent } from "@stripe/stripe-js";
import { baseUrl } from "./base-url.ts";
import { ContainerClasses } from "./container-classes.ts";
import { ElementEvents } from "./element-events.ts";
import { elementHeight } from "./element-height.ts";
import { Frame } from "./frame.ts";
import { IntegrationError } from "./integration-error.ts";
import type { Change, ElementOptions, FromCardFrame, Result, ToCardFrame } from "./messages.ts";
import { connectionError } from "./payment-api.ts";
import { submitForm } from "./submit-form.ts";

type CardFrame = Frame<ToCardFrame, FromCardFrame>;

/** The CardElement's public API: mounts the card frame, emits its events and sets the container's classes. */
export class StripeElement extends ElementEvents {
	readonly #onDestroy: () => void;
	#options: ElementOptions;
	#mounted: { container: HTMLElement; frame: CardFrame; classes: ContainerClasses; stop: AbortController } | null =
		null;
	#change: Change | null = null;
	#destroyed = false;

	constructor(options: ElementOptions, onDestroy: () => void) {
		super();
		this.#options = options;
		this.#onDestroy = onDestroy;
	}

	mount(target: string | HTMLElement): void {
		this.#requireAlive();
		const container = typeof target === "string" ? document.querySelector<HTMLElement>(target) : target;
		if (!container) throw new IntegrationError(`The card Element cannot be mounted: ${target} was not found.`);
		if (this.#mounted?.container === container) return;
		this.unmount();
		const frame: CardFrame = new Frame({
			src: `${baseUrl}card-frame`,
			title: "Secure card payment input frame",
			onOpen: () => this.#sendOptions(),
			onMessage: (message) => this.#onMessage(message),
			onLost: () => this.emit("loaderror", { error: connectionError() }),
		});
		Object.assign(frame.iframe.style, { border: "0", colorScheme: "light", display: "block", width: "100%" });
		const wrapper = document.createElement("div");
		wrapper.className = "__PrivateStripeElement";
		wrapper.appendChild(frame.iframe);
		container.replaceChildren(wrapper);

		const stop = new AbortController();
		this.#followSize(container, stop.signal);
		const label = container.closest("label") ?? document.querySelector(`label[for="${CSS.escape(container.id)}"]`);
		label?.addEventListener("click", () => this.focus(), { signal: stop.signal });
		const classes = new ContainerClasses(container, this.#options.classes);
		this.#mounted = { container, frame, classes, stop };
		this.#resize();
	}

	unmount(): void {
		if (!this.#mounted) return;
		const { container, frame, classes, stop } = this.#mounted;
		this.#mounted = null;
		stop.abort();
		frame.close();
		classes.remove();
		container.replaceChildren();
		this.#change = null;
	}

	destroy(): void {
		this.unmount();
		this.#destroyed = true;
		this.#onDestroy();
	}

	update(options: ElementOptions): void {
		this.#requireAlive();
		this.#options = { ...this.#options, ...options };
		this.#mounted?.classes.rename(this.#options.classes);
		this.#resize();
		this.#sendOptions();
	}

	focus(): void {
		// the frame's own process may take the focus before the page's has handled the click that calls this
		this.#mounted?.frame.iframe.focus();
		this.#mounted?.frame.send({ say: "focus" });
	}

	blur(): void {
		this.#mounted?.frame.send({ say: "blur" });
	}

	clear(): void {
		this.#mounted?.frame.send({ say: "clear" });
	}

	/** Has the frame send the card with `form` to the API. Resolves to the API's result or the error of a field, or to a
	 *  connection error if the reply times out. Rejects with an IntegrationError if the Element is not mounted. */
	async confirm(form: Record<string, string>): Promise<Result<PaymentIntent>> {
		if (!this.#mounted) throw new IntegrationError("The card Element is not mounted.");
		const result = await this.#mounted.frame.request<Result<PaymentIntent>>({ say: "confirm", form });
		return result ?? { error: connectionError() };
	}

	#sendOptions(): void {
		const { classes: _, ...options } = this.#options;
		this.#mounted?.frame.send({ say: "options", options });
	}

	#onMessage(message: FromCardFrame): void {
		if (message.say === "submit") submitForm(this.#mounted?.container.closest("form"));
		else if (message.say === "change") this.#changed(message.event);
		else if (message.say === "autofill") this.#mounted?.classes.show({ webkitAutofill: message.autofilled });
		else {
			const focus = message.say === "focus";
			if (focus || message.say === "blur") this.#mounted?.classes.show({ focus });
			this.emit(message.say);
		}
	}

	#changed(event: Change): void {
		const same = JSON.stringify(event) === JSON.stringify(this.#change);
		const untouched = !this.#change && event.empty && !event.error;
		const known = this.#change?.brand ?? "unknown";
		this.#change = event;
		if (same || untouched) return;
		this.#mounted?.classes.show({ empty: event.empty, complete: event.complete, invalid: event.error !== undefined });
		if (event.brand !== known && event.brand !== "unknown") {
			this.emit("networkschange", { networks: [event.brand], loading: false });
		}
		this.emit("change", event);
	}

	#followSize(container: HTMLElement, signal: AbortSignal): void {
		try {
			const observer = new ResizeObserver(() => this.#resize());
			observer.observe(container);
			signal.addEventListener("abort", () => observer.disconnect());
		} catch {
			window.addEventListener("resize", () => this.#resize(), { signal });
		}
	}

	#resize(): void {
		const iframe = this.#mounted?.frame.iframe;
		if (iframe) iframe.style.height = `${elementHeight(iframe.clientWidth, this.#options.style).height}px`;
	}

	#requireAlive(): void {
		if (this.#destroyed) throw new IntegrationError("This Element has been destroyed. Create a new one.");
	}
}
