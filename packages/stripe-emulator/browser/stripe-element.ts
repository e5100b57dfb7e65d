import { baseUrl } from "./base-url.ts";
import { ContainerClasses } from "./container-classes.ts";
import { ElementEvents } from "./element-events.ts";
import { elementHeight } from "./element-height.ts";
import { type ElementType, frameTitles } from "./element-types.ts";
import { Frame } from "./frame.ts";
import { IntegrationError } from "./integration-error.ts";
import type { Change, ElementOptions, FromCardFrame, Result, ToCardFrame } from "./messages.ts";
import { connectionError } from "./payment-api.ts";
import { submitForm } from "./submit-form.ts";

type CardFrame = Frame<ToCardFrame, FromCardFrame>;

/** The group of Elements that an Element belongs to. */
interface Siblings {
	readonly brand: NonNullable<Change["brand"]>;
	sendBrand(): void;
	getElement(type: string): StripeElement | null;
	forget(element: StripeElement): void;
}

/** An Element's public API: mounts the card frame, emits its events and sets the container's classes. */
export class StripeElement extends ElementEvents {
	readonly type: ElementType;
	readonly siblings: Siblings;
	#options: ElementOptions;
	#mounted: { container: HTMLElement; frame: CardFrame; classes: ContainerClasses; stop: AbortController } | null =
		null;
	#change: Change | null = null;
	#destroyed = false;

	constructor(type: ElementType, options: ElementOptions, siblings: Siblings) {
		super(type);
		this.type = type;
		this.siblings = siblings;
		this.#options = options;
	}

	get mounted(): boolean {
		return this.#mounted !== null;
	}

	mount(target: string | HTMLElement): void {
		this.#requireAlive();
		const container = typeof target === "string" ? document.querySelector<HTMLElement>(target) : target;
		if (!container) throw new IntegrationError(`The ${this.type} Element cannot be mounted: ${target} was not found.`);
		if (this.#mounted?.container === container) return;
		this.unmount();
		const frame: CardFrame = new Frame({
			src: `${baseUrl}card-frame?element=${this.type}`,
			title: frameTitles[this.type],
			onOpen: () => this.#sendState(),
			onMessage: (message) => this.#onMessage(message),
			onLost: () => this.emit("loaderror", { error: connectionError() }),
		});
		Object.assign(frame.iframe.style, { border: "0", colorScheme: "light", display: "block", width: "100%" });
		const wrapper = document.createElement("div");
		wrapper.className = "__PrivateStripeElement";
		wrapper.appendChild(frame.iframe);
		container.replaceChildren(wrapper);

		const stop = new AbortController();
		const resize = new ResizeObserver(() => this.#resize());
		resize.observe(container);
		stop.signal.addEventListener("abort", () => resize.disconnect());
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
		this.siblings.forget(this);
	}

	update(options: ElementOptions): void {
		this.#requireAlive();
		this.#options = { ...this.#options, ...options };
		this.#mounted?.classes.rename(this.#options.classes);
		this.#resize();
		this.#sendOptions();
	}

	focus(): void {
		this.#mounted?.frame.send({ say: "focus" });
	}

	blur(): void {
		this.#mounted?.frame.send({ say: "blur" });
	}

	clear(): void {
		this.#mounted?.frame.send({ say: "clear" });
	}

	/** Sends a message to the frame. Resolves to its result, or to a connection error if the reply times out. Rejects
	 *  with an IntegrationError if the Element is not mounted. */
	async request<Value>(message: ToCardFrame): Promise<Result<Value>> {
		if (!this.#mounted) {
			throw new IntegrationError(`The ${this.type} Element is not mounted.`);
		}
		return (await this.#mounted.frame.request<Result<Value>>(message)) ?? { error: connectionError() };
	}

	/** Sends the brand of the card number to the security code's frame. */
	sendBrand(): void {
		if (this.type === "cardCvc") this.#mounted?.frame.send({ say: "brand", brand: this.siblings.brand });
	}

	get brand() {
		return this.#change?.brand ?? "unknown";
	}

	#sendState(): void {
		this.#sendOptions();
		this.sendBrand();
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
		const known = this.brand;
		this.#change = event;
		if (same || untouched) return;
		this.#mounted?.classes.show({ empty: event.empty, complete: event.complete, invalid: event.error !== undefined });
		if (this.brand !== known) {
			this.siblings.sendBrand();
			if (this.brand !== "unknown") this.emit("networkschange", { networks: [this.brand], loading: false });
		}
		this.emit("change", event);
	}

	#resize(): void {
		const iframe = this.#mounted?.frame.iframe;
		if (iframe) iframe.style.height = `${elementHeight(this.type, iframe.clientWidth, this.#options.style).height}px`;
	}

	#requireAlive(): void {
		if (this.#destroyed) throw new IntegrationError("This Element has been destroyed. Create a new one.");
	}
}
