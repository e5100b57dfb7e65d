import { caretAfter, type Deleting, digitsOf, type Problem } from "./card-text.ts";

/** The formatting and validation of one field. */
interface Rules {
	format(text: string, deleting: Deleting): string;
	/** `left`: whether the field has lost focus, after which an incomplete value is a problem. */
	problem(text: string, left: boolean): Problem | undefined;
	complete(text: string): boolean;
}

/** One input of a card frame. Formats and validates typed, pasted and autofilled values. */
export class Field {
	readonly input: HTMLInputElement;
	readonly #rules: Rules;
	readonly #problem: HTMLElement;
	#left = false;

	/** Throws an Error if the frame's document has no input with this name, or no element for its error. */
	constructor(name: string, rules: Rules) {
		const input = document.querySelector<HTMLInputElement>(`input[name="${name}"]`);
		const problem = document.getElementById(`${name}-problem`);
		if (!input || !problem) throw new Error(`The card frame has no ${name}; its HTML is in frames/card-frame.ts.`);
		this.input = input;
		this.#rules = rules;
		this.#problem = problem;
	}

	/** Calls `onEdit` after every edit, with true if text was deleted or autofilled, and `onLeave` on blur. */
	listen(onEdit: (deleted: boolean) => void, onLeave: () => void): void {
		const edited = (deleting: Deleting) => {
			this.reformat(deleting);
			this.#left = false;
			onEdit(deleting !== null);
		};
		this.input.addEventListener("input", (event) => edited(event instanceof InputEvent ? deletingBy(event) : null));
		// some browsers autofill cards without an input event
		this.input.addEventListener("change", () => edited("backward"));
		this.input.addEventListener("blur", () => {
			this.#left = this.input.value !== "";
			onLeave();
		});
	}

	get digits(): string {
		return digitsOf(this.input.value);
	}

	get complete(): boolean {
		return this.#rules.complete(this.input.value);
	}

	get empty(): boolean {
		return this.input.value === "";
	}

	get problem(): Problem | undefined {
		return this.#rules.problem(this.input.value, this.#left);
	}

	/** Reports an incomplete field as a problem, as on submit. */
	leave(): void {
		this.#left = true;
	}

	clear(): void {
		this.input.value = "";
		this.#left = false;
	}

	reformat(deleting: Deleting): void {
		const { input } = this;
		const typed = input.value;
		const formatted = this.#rules.format(typed, deleting);
		if (formatted === typed) return;
		const caret = caretAfter(typed, input.selectionStart ?? typed.length, formatted, deleting);
		input.value = formatted;
		if (document.activeElement === input) input.setSelectionRange(caret, caret);
	}

	/** Updates the field's ARIA state, error text and classes. */
	show(): void {
		const { problem, empty, complete } = this;
		this.input.setAttribute("aria-invalid", String(problem !== undefined));
		if (this.#problem.textContent !== (problem?.message ?? "")) this.#problem.textContent = problem?.message ?? "";
		this.input.classList.toggle("invalid", problem !== undefined);
		this.input.classList.toggle("empty", empty);
		this.input.classList.toggle("complete", complete);
	}
}

function deletingBy({ inputType }: InputEvent): Deleting {
	if (!inputType.startsWith("delete")) return null;
	return inputType.endsWith("Forward") ? "forward" : "backward";
}
