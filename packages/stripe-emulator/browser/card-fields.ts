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
	numberProblem,
	numberText,
	type Problem,
} from "./card-text.ts";
import { Field, type Rules } from "./field.ts";

/** Manages the inputs of a card frame: moves the focus between them and combines their state. */
export class CardFields {
	readonly #fields: ReadonlyMap<string, Field>;
	readonly #all: readonly Field[];
	readonly #onChange: () => void;
	#siblingBrand: CardBrand | "unknown" = "unknown";

	/** `onChange` is called after every edit and every change of validity. */
	constructor(onChange: () => void) {
		this.#onChange = onChange;
		const inputs = [...document.querySelectorAll<HTMLInputElement>("input")];
		this.#fields = new Map(inputs.map((input) => [input.name, new Field(input, this.#rulesOf(input.name))]));
		this.#all = [...this.#fields.values()];
		this.#all.forEach((field, index) => {
			this.#listen(field, this.#all[index - 1], this.#all[index + 1]);
		});
		this.#show();
	}

	get empty(): boolean {
		return this.#all.every((field) => field.empty);
	}

	get complete(): boolean {
		return this.#all.every((field) => field.complete);
	}

	/** The card's brand; undefined in a frame without a number field. */
	get brand(): CardBrand | "unknown" | undefined {
		return this.#fields.has("cardnumber") ? brandOf(this.#digits("cardnumber")) : undefined;
	}

	/** Sets the brand of a number that is in another frame. */
	set siblingBrand(brand: CardBrand | "unknown") {
		this.#siblingBrand = brand;
		this.#fields.get("cvc")?.reformat(null);
		this.#changed();
	}

	get problem(): Problem | undefined {
		return this.#all.map((field) => field.problem).find((problem) => problem !== undefined);
	}

	get autofilled(): boolean {
		return this.#all.some((field) => field.input.matches(":autofill"));
	}

	/** The inputs' values, keyed by API parameter name. This is the only accessor that returns card data. */
	get card(): Record<string, string> {
		const expiry = this.#digits("exp-date");
		return {
			...(this.#fields.has("cardnumber") && { number: this.#digits("cardnumber") }),
			...(this.#fields.has("exp-date") && {
				exp_month: String(Number(expiry.slice(0, 2))),
				exp_year: `20${expiry.slice(2)}`,
			}),
			...(this.#fields.has("cvc") && { cvc: this.#digits("cvc") }),
		};
	}

	/** Reports incomplete fields as problems, as on submit. */
	leave(): void {
		for (const field of this.#all) field.leave();
		this.#changed();
	}

	focus(): void {
		(this.#all.find((field) => !field.complete) ?? this.#all[0])?.input.focus();
	}

	blur(): void {
		for (const { input } of this.#all) input.blur();
	}

	clear(): void {
		for (const field of this.#all) field.clear();
		this.#changed();
	}

	disable(disabled: boolean): void {
		for (const { input } of this.#all) input.disabled = disabled;
	}

	/** Sets the placeholder if the frame has a single field. */
	prompt(placeholder: string | undefined): void {
		if (placeholder !== undefined && this.#all.length === 1 && this.#all[0])
			this.#all[0].input.placeholder = placeholder;
	}

	#digits(name: string): string {
		return digitsOf(this.#fields.get(name)?.input.value ?? "");
	}

	#rulesOf(name: string): Rules {
		const rules: Record<string, Rules> = {
			cardnumber: {
				format: numberText,
				problem: (text, left) => numberProblem(digitsOf(text), left),
				complete: (text) => isWholeNumber(digitsOf(text)) && hasCheckDigit(digitsOf(text)),
			},
			"exp-date": {
				format: expiryText,
				problem: (text, left) => expiryProblem(digitsOf(text), left, new Date()),
				complete: (text) => expiryProblem(digitsOf(text), true, new Date()) === undefined,
			},
			cvc: {
				format: (text) => digitsOf(text).slice(0, cvcLength(this.#number)),
				problem: (text, left) => cvcProblem(text, this.#number, left),
				complete: (text) => isWholeCvc(text, this.#number),
			},
		};
		const found = rules[name];
		if (!found) throw new Error(`The card frame's field ${name} has no rules.`);
		return found;
	}

	/** The card number, or only the prefix that identifies its brand if the number is in another frame. */
	get #number(): string {
		return this.#fields.has("cardnumber") ? this.#digits("cardnumber") : beginningOf(this.#siblingBrand);
	}

	#listen(field: Field, previous: Field | undefined, next: Field | undefined): void {
		const { input } = field;
		const edited = (deleted: boolean) => {
			if (input.name === "cardnumber") this.#fields.get("cvc")?.reformat(null);
			if (next && !deleted && document.activeElement === input && field.complete) next.input.focus();
			this.#changed();
		};
		field.listen(edited, () => this.#changed());
		input.addEventListener("keydown", (event) => {
			if (event.key !== "Backspace" || input.value !== "" || !previous) return;
			event.preventDefault();
			previous.input.focus();
			previous.input.setSelectionRange(previous.input.value.length, previous.input.value.length);
		});
	}

	#changed(): void {
		this.#show();
		this.#onChange();
	}

	#show(): void {
		for (const field of this.#all) field.show();
		showBrand(this.brand ?? "unknown", this.problem !== undefined);
	}
}
