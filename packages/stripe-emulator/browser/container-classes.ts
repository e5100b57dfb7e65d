import type { StripeElementClasses } from "@stripe/stripe-js";

const standard = {
	base: "StripeElement",
	empty: "StripeElement--empty",
	focus: "StripeElement--focus",
	complete: "StripeElement--complete",
	invalid: "StripeElement--invalid",
	webkitAutofill: "StripeElement--webkit-autofill",
} as const;

const blank = { base: true, empty: true, focus: false, complete: false, invalid: false, webkitAutofill: false };

/** The container's CSS classes that reflect its Element's state. */
export class ContainerClasses {
	readonly #classList: DOMTokenList;
	#names: StripeElementClasses;
	#state: Record<keyof typeof standard, boolean> = { ...blank };

	constructor({ classList }: HTMLElement, names: StripeElementClasses = {}) {
		this.#classList = classList;
		this.#names = names;
		this.show({});
	}

	show(changed: Partial<Record<keyof typeof standard, boolean>>): void {
		Object.assign(this.#state, changed);
		this.#each((name, on) => this.#classList.toggle(name, on));
	}

	rename(names: StripeElementClasses = {}): void {
		this.remove();
		this.#names = names;
		this.show({});
	}

	remove(): void {
		this.#each((name) => this.#classList.remove(name));
	}

	#each(act: (name: string, on: boolean) => void): void {
		for (const state of ["base", "empty", "focus", "complete", "invalid", "webkitAutofill"] as const) {
			const names = this.#names[state] ?? standard[state];
			for (const name of names.split(/\s+/)) if (name) act(name, this.#state[state]);
		}
	}
}
