import type { StripeError } from "@stripe/stripe-js";
import { baseUrl } from "./base-url.ts";
import { ContainerClasses } from "./container-classes.ts";
import { ElementEvents } from "./element-events.ts";
import { elementHeight } from "./element-height.ts";
import { type ElementType, isCardElementType, titleOf } from "./element-types.ts";
import type { FormOptions } from "./form-options.ts";
import { Frame } from "./frame.ts";
import { IntegrationError } from "./integration-error.ts";
import type { Change, ElementOptions, FromFrame, Result, ToFrame } from "./messages.ts";
import { connectionError } from "./payment-api.ts";
import { submitForm } from "./submit-form.ts";

type ElementFrame = Frame<ToFrame, FromFrame>;

/** The group of Elements that an Element belongs to. */
interface Siblings {
	readonly locale: string;
	/** The options that the group adds to those of an Element with labeled fields. */
	readonly formOptions: FormOptions;
	readonly brand: NonNullable<Change["brand"]>;
	sendBrand(): void;
	/** Returns the mounted Element of this type, or undefined. */
	mounted(type: string): StripeElement | undefined;
	/** Resolves to the error of an Element that cannot be used, such as one whose intent does not exist. */
	findError(): Promise<StripeError | undefined>;
	forget(element: StripeElement): void;
}

/** The heights of the frames with labeled fields until they report their own, in CSS pixels. */
const firstHeights: Partial<Record<ElementType, number>> = { payment: 270, linkAuthentication: 80, address: 410 };

/** An Element's public API: mounts the frame, emits its events and sets the container's classes. */
export class StripeElement extends ElementEvents {
	readonly type: ElementType;
	readonly siblings: Siblings;
	#options: ElementOptions;
	#mounted: { container: HTMLElement; frame: ElementFrame; classes: ContainerClasses; stop: AbortController } | null =
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
		const { locale } = this.siblings;
		const card = isCardElementType(this.type);
		const frame: ElementFrame = new Frame({
			src: `${baseUrl}${card ? "card" : "form"}-frame?${new URLSearchParams({ element: this.type, locale })}`,
			title: titleOf(this.type),
			onOpen: () => this.#sendState(),
			onMessage: (message) => this.#onMessage(message),
			onLost: () => this.emit("loaderror", { error: connectionError() }),
		});
		Object.assign(frame.iframe.style, { border: "0", colorScheme: "light", display: "block", width: "100%" });
		// a frame with labeled fields has room for focus rings around its content
		if (!card)
			Object.assign(frame.iframe.style, {
				height: `${firstHeights[this.type]}px`,
				margin: "-4px",
				width: "calc(100% + 8px)",
			});
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
		if (!card) queueMicrotask(() => this.emit("loaderstart"));
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

	update(options: ElementOptions): this {
		this.#requireAlive();
		this.#options = { ...this.#options, ...options };
		this.#mounted?.classes.rename(this.#options.classes);
		this.#resize();
		this.sendOptions();
		return this;
	}

	/** Does nothing: a card is the only payment method, and is always shown. */
	collapse(): this {
		return this;
	}

	get options(): ElementOptions {
		return this.#options;
	}

	/** The last change event, or null before the first one. */
	get change(): Change | null {
		return this.#change;
	}

	/** Resolves to the address of an Address Element. */
	async getValue(): Promise<Partial<Pick<Change, "complete" | "isNewAddress" | "value">>> {
		const { complete, isNewAddress, value } = this.#change ?? { complete: false };
		return { complete, ...(isNewAddress !== undefined && { isNewAddress }), ...(value && { value }) };
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
	async request<Value>(message: ToFrame): Promise<Result<Value>> {
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
		this.sendOptions();
		this.sendBrand();
	}

	/** Sends the Element's options, and those of its group, to the frame. */
	sendOptions(): void {
		const { classes: _, ...options } = this.#options;
		const group = isCardElementType(this.type) ? {} : this.siblings.formOptions;
		this.#mounted?.frame.send({ say: "options", options: { ...options, ...group } });
	}

	#onMessage(message: FromFrame): void {
		if (message.say === "submit") submitForm(this.#mounted?.container.closest("form"));
		else if (message.say === "change") this.#changed(message.event);
		else if (message.say === "height") this.#setHeight(message.height);
		else if (message.say === "ready") void this.#emitReady();
		else if (message.say === "autofill") this.#mounted?.classes.show({ webkitAutofill: message.autofilled });
		else {
			const focus = message.say === "focus";
			if (focus || message.say === "blur") this.#mounted?.classes.show({ focus });
			this.emit(message.say);
		}
	}

	async #emitReady(): Promise<void> {
		const frame = this.#mounted?.frame;
		const error = this.type === "payment" ? await this.siblings.findError() : undefined;
		if (!frame || frame !== this.#mounted?.frame) return;
		if (error) this.emit("loaderror", { error });
		else this.emit("ready");
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
		const { type } = this;
		const width = this.#mounted?.frame.iframe.clientWidth ?? 0;
		if (isCardElementType(type)) this.#setHeight(elementHeight(type, width, this.#options).height);
	}

	#setHeight(height: number): void {
		if (this.#mounted) this.#mounted.frame.iframe.style.height = `${height}px`;
	}

	#requireAlive(): void {
		if (this.#destroyed) throw new IntegrationError("This Element has been destroyed. Create a new one.");
	}
}
