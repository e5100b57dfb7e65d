import { caretAfter, type Deleting } from "./card-text.ts";

/** The formatting and validation of one field. */
export interface Rules {
	format(text: string, deleting: Deleting): string;
	/** Returns an error code. `left`: whether the field has lost focus, after which an incomplete value is a problem. */
	problem(text: string, left: boolean): string | undefined;
	complete(text: string): boolean;
}

export interface Problem {
	type: "validation_error";
	code: string;
	message: string;
}

/** The messages in the frame's language, by error code. The frame's document contains them. */
const messages: Record<string, string> = JSON.parse(document.forms[0]?.dataset["problems"] ?? "{}");

/** One input of a frame. Formats and validates typed, pasted and autofilled values. */
export class Field {
	readonly input: HTMLInputElement;
	readonly #rules: Rules;
	readonly #problem: HTMLElement;
	#left = false;

	constructor(input: HTMLInputElement, rules: Rules) {
		this.input = input;
		this.#rules = rules;
		const problem = document.getElementById(input.getAttribute("aria-describedby") ?? "");
		if (!problem) throw new Error(`The frame has no element for the error of ${input.name}.`);
		this.#problem = problem;
	}

	/** Calls `onEdit` after every edit, with true if text was deleted, and `onLeave` on blur. */
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

	/** Whether the field is shown. A field that is not shown has no part in the frame's state. */
	get shown(): boolean {
		return !this.input.closest("[hidden]");
	}

	get complete(): boolean {
		return this.#rules.complete(this.input.value);
	}

	get empty(): boolean {
		return this.input.value === "";
	}

	get problem(): Problem | undefined {
		const code = this.#rules.problem(this.input.value, this.#left);
		return code === undefined ? undefined : { type: "validation_error", code, message: messages[code] ?? code };
	}

	/** Reports an incomplete field as a problem, as on submit. */
	leave(): void {
		this.#left = true;
	}

	/** Sets the value, as if it had been typed. */
	fill(value: string): void {
		this.input.value = value;
		this.reformat(null);
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
		const prefix = this.input.matches(".Input") ? "Input--" : "";
		for (const [name, on] of Object.entries({ invalid: problem !== undefined, empty, complete })) {
			this.input.classList.toggle(prefix + name, on);
		}
	}
}

function deletingBy({ inputType }: InputEvent): Deleting {
	if (!inputType.startsWith("delete")) return null;
	return inputType.endsWith("Forward") ? "forward" : "backward";
}
