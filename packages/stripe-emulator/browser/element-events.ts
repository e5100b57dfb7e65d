type Handler = (event: object) => unknown;

/** An Element's event listeners. They can be removed after the Element is destroyed, as Stripe's React components do. */
export class ElementEvents {
	readonly #handlers = new Map<string, { handler: Handler; once: boolean }[]>();

	on(name: string, handler: Handler): this {
		return this.#add(name, handler, false);
	}

	once(name: string, handler: Handler): this {
		return this.#add(name, handler, true);
	}

	/** Removes the handler, or all handlers of the event if none is given. */
	off(name: string, handler?: Handler): this {
		const kept = handler ? this.#of(name).filter((listener) => listener.handler !== handler) : [];
		this.#handlers.set(name, kept);
		return this;
	}

	protected emit(name: string, event: object = {}): void {
		for (const { handler, once } of this.#of(name)) {
			if (once) this.off(name, handler);
			handler({ elementType: "card", ...event });
		}
	}

	#add(name: string, handler: Handler, once: boolean): this {
		this.#handlers.set(name, [...this.#of(name), { handler, once }]);
		return this;
	}

	#of(name: string) {
		return this.#handlers.get(name) ?? [];
	}
}
