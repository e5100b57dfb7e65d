import { isEmail } from "../objects/email.ts";
import { isWholePostal, postalText } from "./card-text.ts";
import type { Rules } from "./field.ts";
import { FieldGroup } from "./field-group.ts";

/** Manages the inputs of an email address, or of a name and address. */
export class ContactFields extends FieldGroup {
	readonly #context: { country: string };

	constructor() {
		const context = { country: "" };
		super(contactRules(context));
		this.#context = context;
	}

	/** Sets the address's country. It determines the required fields and the format of the postal code. */
	set country(country: string) {
		this.#context.country = country;
		this.fields.get("postal")?.reformat(null);
		this.changed();
	}
}

function contactRules(context: { country: string }): Record<string, Rules> {
	const isIn = (countries: string) => countries.includes(context.country);
	const optional: Rules = { format: (text) => text, problem: () => undefined, complete: () => true };
	const requiredIf = (isRequired: () => boolean): Rules => {
		const complete = (text: string) => text.trim() !== "" || !isRequired();
		return {
			...optional,
			complete,
			problem: (text, left) => (left && !complete(text) ? "incomplete_field" : undefined),
		};
	};
	const required = requiredIf(() => true);
	const isPostal = (text: string) =>
		isIn("US CA GB")
			? isWholePostal(text, context.country)
			: text.trim() !== "" || isIn("AE AO BS BZ BO HK IE JM MO PA QA");
	return {
		email: {
			...optional,
			complete: (text) => isEmail(text.trim()),
			problem: (text, left) =>
				isEmail(text.trim()) || !left ? undefined : text === "" ? "incomplete_email" : "invalid_email",
		},
		name: required,
		line1: required,
		line2: optional,
		city: required,
		state: requiredIf(() => isIn("US CA AU")),
		postal: {
			format: (text) => postalText(text, context.country),
			complete: isPostal,
			problem: (text, left) => (left && !isPostal(text) ? "incomplete_zip" : undefined),
		},
		phone: required,
	};
}
