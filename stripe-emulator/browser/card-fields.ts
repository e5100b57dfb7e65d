import { brandOf, cvcLength, hasCheckDigit, isWholeCvc, isWholeNumber } from "../objects/card-number.ts";
import { showBrand } from "./brand-mark.ts";
import {
	caretAfter,
	cvcProblem,
	type Deleting,
	digitsOf,
	expiryProblem,
	expiryText,
	numberProblem,
	numberText,
	type Problem,
} from "./card-text.ts";

interface Field {
	input: HTMLInputElement;
	/** Whether the shopper has been here and gone on, so that what is missing counts as forgotten. */
	left: boolean;
	format(text: string, deleting: Deleting): string;
	problem(left: boolean): Problem | undefined;
	complete(): boolean;
}

/** The three inputs of the card frame, working as one: formatting, going from one to the next, saying what is wrong. */
export class CardFields {
	readonly #number: Field;
	readonly #expiry: Field;
	readonly #cvc: Field;
	readonly #all: readonly Field[];
	readonly #onChange: () => void;

	/** `onChange` is called after every edit and whenever a problem comes up. */
	constructor(onChange: () => void) {
		this.#onChange = onChange;
		const number = () => digitsOf(this.#number.input.value);
		const expiry = () => digitsOf(this.#expiry.input.value);
		const cvc = () => this.#cvc.input.value;
		this.#number = {
			...blank("cardnumber"),
			format: numberText,
			problem: (left) => numberProblem(number(), left),
			complete: () => isWholeNumber(number()) && hasCheckDigit(number()),
		};
		this.#expiry = {
			...blank("exp-date"),
			format: expiryText,
			problem: (left) => expiryProblem(expiry(), left, new Date()),
			complete: () => expiryProblem(expiry(), true, new Date()) === undefined,
		};
		this.#cvc = {
			...blank("cvc"),
			format: (text) => digitsOf(text).slice(0, cvcLength(number())),
			problem: (left) => cvcProblem(cvc(), number(), left),
			complete: () => isWholeCvc(cvc(), number()),
		};
		this.#all = [this.#number, this.#expiry, this.#cvc];
		this.#all.forEach((field, index) => {
			this.#listen(field, this.#all[index - 1], this.#all[index + 1]);
		});
		this.#show();
	}

	get empty(): boolean {
		return this.#all.every((field) => field.input.value === "");
	}

	get complete(): boolean {
		return this.#all.every((field) => field.complete());
	}

	get brand() {
		return brandOf(digitsOf(this.#number.input.value));
	}

	get problem(): Problem | undefined {
		return this.#all.map((field) => field.problem(field.left)).find((problem) => problem !== undefined);
	}

	/** The card as form fields of the API. This is the only way a number leaves the inputs. */
	get form(): Record<string, string> {
		const expiry = digitsOf(this.#expiry.input.value);
		return {
			"payment_method_data[card][number]": digitsOf(this.#number.input.value),
			"payment_method_data[card][exp_month]": String(Number(expiry.slice(0, 2))),
			"payment_method_data[card][exp_year]": `20${expiry.slice(2)}`,
			"payment_method_data[card][cvc]": this.#cvc.input.value,
		};
	}

	/** Holds every field to being complete, as when the shopper wants to pay. */
	leaveAll(): void {
		for (const field of this.#all) field.left = true;
		this.#changed();
	}

	focus(): void {
		(this.#all.find((field) => !field.complete()) ?? this.#number).input.focus();
	}

	blur(): void {
		for (const field of this.#all) field.input.blur();
	}

	clear(): void {
		for (const field of this.#all) {
			field.input.value = "";
			field.left = false;
		}
		this.#changed();
	}

	disable(disabled: boolean): void {
		for (const field of this.#all) field.input.disabled = disabled;
	}

	#listen(field: Field, previous: Field | undefined, next: Field | undefined): void {
		const { input } = field;
		const edited = (deleting: Deleting) => {
			this.#reformat(field, deleting);
			if (field === this.#number) this.#reformat(this.#cvc, null);
			field.left = false;
			if (next && !deleting && document.activeElement === input && field.complete()) next.input.focus();
			this.#changed();
		};
		input.addEventListener("input", (event) => edited(event instanceof InputEvent ? deletingBy(event) : null));
		// Some browsers fill a card in without an input event.
		input.addEventListener("change", () => edited("backward"));
		input.addEventListener("keydown", (event) => {
			if (event.key !== "Backspace" || input.value !== "" || !previous) return;
			event.preventDefault();
			previous.input.focus();
			previous.input.setSelectionRange(previous.input.value.length, previous.input.value.length);
		});
		input.addEventListener("blur", () => {
			field.left = input.value !== "";
			this.#changed();
		});
	}

	#reformat({ input, format }: Field, deleting: Deleting): void {
		const typed = input.value;
		const formatted = format(typed, deleting);
		if (formatted === typed) return;
		const caret = caretAfter(typed, input.selectionStart ?? typed.length, formatted, deleting);
		input.value = formatted;
		if (document.activeElement === input) input.setSelectionRange(caret, caret);
	}

	#changed(): void {
		this.#show();
		this.#onChange();
	}

	#show(): void {
		for (const field of this.#all) {
			const invalid = field.problem(field.left) !== undefined;
			field.input.setAttribute("aria-invalid", String(invalid));
			field.input.classList.toggle("invalid", invalid);
			field.input.classList.toggle("empty", field.input.value === "");
			field.input.classList.toggle("complete", field.complete());
		}
		showBrand(this.brand, this.problem !== undefined);
	}
}

function deletingBy({ inputType }: InputEvent): Deleting {
	if (!inputType.startsWith("delete")) return null;
	return inputType.endsWith("Forward") ? "forward" : "backward";
}

function blank(name: string): Pick<Field, "input" | "left"> {
	const input = document.querySelector<HTMLInputElement>(`input[name="${name}"]`);
	if (!input) throw new Error(`The card frame has no ${name} field.`);
	return { input, left: false };
}
