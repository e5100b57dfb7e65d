import {
	brandOf,
	type CardBrand,
	cvcLength,
	hasCheckDigit,
	isWholeCvc,
	isWholeNumber,
} from "../objects/card-number.ts";
import { showBrand } from "./brand-mark.ts";
import {
	beginningOf,
	cvcProblem,
	digitsOf,
	expiryProblem,
	expiryText,
	isWholePostal,
	numberProblem,
	numberText,
	postalText,
} from "./card-text.ts";
import type { Field, Rules } from "./field.ts";
import { FieldGroup } from "./field-group.ts";

/** What the format of a field depends on. */
interface Context {
	/** The country selected beside the card, if the frame has a field for it. */
	country: string | undefined;
	/** Returns the card number, or only the prefix that identifies its brand if the number is in another frame. */
	number(): string;
}

/** Manages the inputs of a card: moves the focus between them and combines their state. */
export class CardFields extends FieldGroup {
	#siblingBrand: CardBrand | "unknown" = "unknown";
	readonly #context: Context;

	constructor() {
		const context: Context = { country: undefined, number: () => "" };
		super(cardRules(context));
		this.#context = context;
		context.number = () => (this.fields.has("number") ? this.#digits("number") : beginningOf(this.#siblingBrand));
		for (const field of this.fields.values()) {
			field.input.addEventListener("keydown", (event) => {
				const previous = this.#beside(field, -1);
				if (event.key !== "Backspace" || field.input.value !== "" || !previous) return;
				event.preventDefault();
				previous.input.focus();
				previous.input.setSelectionRange(previous.input.value.length, previous.input.value.length);
			});
		}
		this.show();
	}

	/** The card's brand; undefined in a frame without a number field. */
	get brand(): CardBrand | "unknown" | undefined {
		return this.fields.has("number") ? brandOf(this.#digits("number")) : undefined;
	}

	/** Sets the brand of a number that is in another frame. */
	set siblingBrand(brand: CardBrand | "unknown") {
		this.#siblingBrand = brand;
		this.fields.get("cvc")?.reformat(null);
		this.changed();
	}

	/** Sets the country that was selected beside the card. It determines the format of the postal code. */
	set country(country: string) {
		this.#context.country = country;
		this.fields.get("postal")?.reformat(null);
		this.changed();
	}

	/** The card's values, keyed by API parameter name. This is the only accessor that returns card data. */
	get card(): Record<string, string> {
		const expiry = this.#digits("expiry");
		return {
			...(this.fields.has("number") && { number: this.#digits("number") }),
			...(this.fields.has("expiry") && {
				exp_month: String(Number(expiry.slice(0, 2))),
				exp_year: `20${expiry.slice(2)}`,
			}),
			...(this.fields.has("cvc") && { cvc: this.#digits("cvc") }),
		};
	}

	/** Shows or hides the postal code. */
	showPostal(shown: boolean): void {
		const { input } = this.fields.get("postal") ?? {};
		input?.closest(".field")?.toggleAttribute("hidden", !shown);
		this.changed();
	}

	/** Sets the placeholder if the frame has a single field. */
	prompt(placeholder: string | undefined): void {
		const [field] = this.fields.values();
		if (placeholder !== undefined && this.fields.size === 1 && field) field.input.placeholder = placeholder;
	}

	protected override edited(field: Field, deleted: boolean): void {
		if (field === this.fields.get("number")) this.fields.get("cvc")?.reformat(null);
		const isFocused = document.activeElement === field.input;
		if (!deleted && isFocused && field.complete) this.#beside(field, 1)?.input.focus();
		this.changed();
	}

	protected override show(): void {
		super.show();
		showBrand(this.brand ?? "unknown", this.problem !== undefined);
	}

	/** Returns the field before or after another. A postal code that follows a country has no field before it. */
	#beside(field: Field, offset: 1 | -1): Field | undefined {
		const row =
			this.#context.country === undefined ? this.shown : this.shown.filter((one) => one !== this.fields.get("postal"));
		return row.includes(field) ? row[row.indexOf(field) + offset] : undefined;
	}

	#digits(name: string): string {
		return digitsOf(this.fields.get(name)?.input.value ?? "");
	}
}

function cardRules(context: Context): Record<string, Rules> {
	return {
		number: {
			format: numberText,
			problem: (text, left) => numberProblem(digitsOf(text), left),
			complete: (text) => isWholeNumber(digitsOf(text)) && hasCheckDigit(digitsOf(text)),
		},
		expiry: {
			format: expiryText,
			problem: (text, left) => expiryProblem(digitsOf(text), left, new Date()),
			complete: (text) => expiryProblem(digitsOf(text), true, new Date()) === undefined,
		},
		cvc: {
			format: (text) => digitsOf(text).slice(0, cvcLength(context.number())),
			problem: (text, left) => cvcProblem(text, context.number(), left),
			complete: (text) => isWholeCvc(text, context.number()),
		},
		postal: {
			format: (text) => postalText(text, context.country),
			problem: (text, left) => (left && !isWholePostal(text, context.country) ? "incomplete_zip" : undefined),
			complete: (text) => isWholePostal(text, context.country),
		},
	};
}
