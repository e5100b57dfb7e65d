type Handler = (event: { elementType: "card" }) => void;

/** The listening side of an Element. It still works once the Element is destroyed: React takes its listeners off then. */
export class ElementEvents {
	readonly #handlers = new Map<string, Set<Handler>>();

	on(name: string, handler: Handler): this {
		this.#handlers.set(name, (this.#handlers.get(name) ?? new Set()).add(handler));
		return this;
	}

	once(name: string, handler: Handler): this {
		const first: Handler = (event) => {
			this.off(name, first);
			handler(event);
		};
		return this.on(name, first);
	}

	/** Without a handler, every one of that name goes. */
	off(name: string, handler?: Handler): this {
		if (handler) this.#handlers.get(name)?.delete(handler);
		else this.#handlers.delete(name);
		return this;
	}

	protected emit(name: string, event: object = {}): void {
		for (const handler of [...(this.#handlers.get(name) ?? [])]) handler({ elementType: "card", ...event });
	}
}
