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
	cvcProblem,
	digitsOf,
	expiryProblem,
	expiryText,
	numberProblem,
	numberText,
	type Problem,
} from "./card-text.ts";
import { Field } from "./field.ts";

/** Manages the inputs of the card frame: moves the focus between them and combines their state. */
export class CardFields {
	readonly #number = new Field("cardnumber", {
		format: numberText,
		problem: (text, left) => numberProblem(digitsOf(text), left),
		complete: (text) => isWholeNumber(digitsOf(text)) && hasCheckDigit(digitsOf(text)),
	});
	readonly #expiry = new Field("exp-date", {
		format: expiryText,
		problem: (text, left) => expiryProblem(digitsOf(text), left, new Date()),
		complete: (text) => expiryProblem(digitsOf(text), true, new Date()) === undefined,
	});
	readonly #cvc = new Field("cvc", {
		format: (text) => digitsOf(text).slice(0, cvcLength(this.#number.digits)),
		problem: (text, left) => cvcProblem(text, this.#number.digits, left),
		complete: (text) => isWholeCvc(text, this.#number.digits),
	});
	readonly #all = [this.#number, this.#expiry, this.#cvc];
	readonly #onChange: () => void;

	/** `onChange` is called after every edit and every change of validity. */
	constructor(onChange: () => void) {
		this.#onChange = onChange;
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

	get brand(): CardBrand | "unknown" {
		return brandOf(this.#number.digits);
	}

	get problem(): Problem | undefined {
		return this.#all.map((field) => field.problem).find((problem) => problem !== undefined);
	}

	get autofilled(): boolean {
		return this.#all.some((field) => field.input.matches(":autofill"));
	}

	/** The inputs' values, keyed by API parameter name. This is the only accessor that returns card data. */
	get card(): Record<string, string> {
		const expiry = this.#expiry.digits;
		return {
			number: this.#number.digits,
			exp_month: String(Number(expiry.slice(0, 2))),
			exp_year: `20${expiry.slice(2)}`,
			cvc: this.#cvc.digits,
		};
	}

	/** Reports incomplete fields as problems, as on submit. */
	leave(): void {
		for (const field of this.#all) field.leave();
		this.#changed();
	}

	focus(): void {
		(this.#all.find((field) => !field.complete) ?? this.#number).input.focus();
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

	#listen(field: Field, previous: Field | undefined, next: Field | undefined): void {
		const { input } = field;
		const edited = (deleted: boolean) => {
			if (field === this.#number) this.#cvc.reformat(null);
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
		showBrand(this.brand, this.problem !== undefined);
	}
}
