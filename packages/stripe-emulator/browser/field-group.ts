import { Field, type Problem, type Rules } from "./field.ts";

/** The fields of a frame, with their combined state. */
export class FieldGroup {
	protected readonly fields: ReadonlyMap<string, Field>;
	/** Called after every edit and every change of validity. */
	onChange = () => {};

	/** Each input's `data-field` is its name in `rules`. */
	constructor(rules: Readonly<Record<string, Rules>>) {
		const inputs = [...document.querySelectorAll<HTMLInputElement>("input[data-field]")];
		this.fields = new Map(
			inputs.map((input) => {
				const name = String(input.dataset["field"]);
				if (!rules[name]) throw new Error(`The frame's field ${name} has no rules.`);
				return [name, new Field(input, rules[name])];
			}),
		);
		for (const field of this.fields.values()) {
			field.listen(
				(deleted) => this.edited(field, deleted),
				() => this.changed(),
			);
		}
	}

	get empty(): boolean {
		return this.shown.every((field) => field.empty);
	}

	get complete(): boolean {
		return this.shown.every((field) => field.complete);
	}

	get problem(): Problem | undefined {
		return this.shown.map((field) => field.problem).find((problem) => problem !== undefined);
	}

	get autofilled(): boolean {
		return this.shown.some((field) => field.input.matches(":autofill"));
	}

	/** Returns a field's value, or "" if it is not shown. */
	value(name: string): string {
		const field = this.fields.get(name);
		return field?.shown ? field.input.value : "";
	}

	/** Reports incomplete fields as problems, as on submit. */
	leave(): void {
		for (const field of this.shown) field.leave();
		this.changed();
	}

	focus(): void {
		(this.shown.find((field) => !field.complete) ?? this.shown[0])?.input.focus();
	}

	blur(): void {
		for (const { input } of this.shown) input.blur();
	}

	clear(): void {
		this.fill(Object.fromEntries([...this.fields.keys()].map((name) => [name, ""])));
	}

	/** Sets the fields with these names. Ignores null, undefined and other names. */
	fill(values: Readonly<Record<string, string | null | undefined>>): void {
		for (const [name, field] of this.fields) {
			const value = values[name] ?? undefined;
			if (value !== undefined) field.fill(value);
		}
		this.changed();
	}

	disable(disabled: boolean): void {
		for (const { input } of this.fields.values()) input.disabled = disabled;
	}

	protected get shown(): readonly Field[] {
		return [...this.fields.values()].filter((field) => field.shown);
	}

	protected edited(_field: Field, _deleted: boolean): void {
		this.changed();
	}

	protected changed(): void {
		this.show();
		this.onChange();
	}

	protected show(): void {
		for (const field of this.fields.values()) field.show();
	}
}
