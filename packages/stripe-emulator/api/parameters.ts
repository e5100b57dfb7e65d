import { invalidRequest, missingParameter, unsupportedParameter } from "../errors.ts";

/** The parameters of a request, or a bracketed group of parameters, nested up to nine levels deep. Methods that
 *  read an optional parameter return undefined if it is missing. An invalid parameter throws an ApiError with
 *  Stripe's error. */
export class Parameters {
	readonly #path: string;
	readonly #values = new Map<string, string | Parameters>();

	constructor(path = "") {
		this.#path = path;
	}

	/** Reads a form-encoded body or query: `amount=500&metadata[shop]=x&types[]=card&types[1]=link`. */
	static parse(form: string): Parameters {
		const parameters = new Parameters();
		for (const [name, value] of new URLSearchParams(form)) {
			if (!/^[^[\]]+(\[[^[\]]*\]){0,9}$/.test(name)) throw invalidRequest(`Invalid parameter name: ${name}`);
			parameters.#put(name.replaceAll("]", "").split("["), value);
		}
		return parameters;
	}

	#put([name = "", ...rest]: string[], value: string): void {
		const key = name || this.#nextIndex();
		if (rest.length === 0) {
			this.#values.set(key, value);
			return;
		}
		const known = this.#values.get(key);
		const group = known instanceof Parameters ? known : new Parameters(this.name(key));
		this.#values.set(key, group);
		group.#put(rest, value);
	}

	#nextIndex(): string {
		let index = this.#values.size;
		while (this.#values.has(String(index))) index += 1;
		return String(index);
	}

	/** Returns the parameter's full name, such as `card[number]`. */
	name(name: string): string {
		return this.#path ? `${this.#path}[${name}]` : name;
	}

	has(name: string): boolean {
		return this.#values.has(name);
	}

	isGroup(name: string): boolean {
		return this.#values.get(name) instanceof Parameters;
	}

	/** Reads a string parameter and removes it, so that `only` ignores it. */
	take(name: string): string | undefined {
		const value = this.text(name);
		this.remove(name);
		return value;
	}

	remove(name: string): void {
		this.#values.delete(name);
	}

	/** Throws an ApiError for any parameter that is not in `names`. */
	only(...names: string[]): void {
		for (const name of this.#values.keys()) {
			if (names.includes(name)) continue;
			throw unsupportedParameter(
				this.name(name),
				names.map((each) => this.name(each)),
			);
		}
	}

	/** Reads a non-empty string. Use `clearable` where Stripe treats "" as "unset this field". */
	text(name: string): string | undefined {
		const value = this.clearable(name);
		if (value !== null) return value;
		const param = this.name(name);
		throw invalidRequest(`You passed an empty string for '${param}'.`, { code: "parameter_invalid_empty", param });
	}

	/** Reads a string; null means "unset this field". */
	clearable(name: string): string | null | undefined {
		const value = this.#values.get(name);
		if (value instanceof Parameters)
			throw invalidRequest(`Invalid string: ${this.name(name)}`, { param: this.name(name) });
		return value === "" ? null : value;
	}

	/** Reads an email, which Stripe refuses without an @ or a dot in its domain; null means "unset this field". */
	email(name: string): string | null | undefined {
		const value = this.clearable(name);
		if (!value || /^[^\s@]+@[^\s@.]+\.[^\s@]+$/.test(value)) return value;
		throw invalidRequest(`Invalid email address: ${value}`, { code: "email_invalid", param: this.name(name) });
	}

	required(name: string): string {
		const value = this.text(name);
		if (value === undefined) throw missingParameter(this.name(name));
		return value;
	}

	integer(name: string, { min = -Infinity, max = Infinity } = {}): number | undefined {
		const value = this.text(name);
		if (value === undefined) return undefined;
		const details = { code: "parameter_invalid_integer", param: this.name(name) };
		if (!/^[+-]?\d{1,15}$/.test(value)) throw invalidRequest(`Invalid integer: ${value}`, details);
		const integer = Number(value);
		if (integer >= min && integer <= max) return integer;
		const range = max === Infinity ? `greater than or equal to ${min}` : `between ${min} and ${max}`;
		throw invalidRequest(`This value must be ${range}.`, details);
	}

	boolean(name: string): boolean | undefined {
		const value = this.choice(name, ["true", "false"]);
		return value === undefined ? value : value === "true";
	}

	choice<const Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
		const value = this.text(name);
		const chosen = choices.find((choice) => choice === value);
		if (value === undefined || chosen !== undefined) return chosen;
		const param = this.name(name);
		throw invalidRequest(`Invalid ${param}: must be one of ${choices.join(" or ")}`, { param });
	}

	group(name: string): Parameters | undefined {
		const value = this.clearableGroup(name);
		if (value !== null) return value;
		throw invalidRequest("Invalid object", { param: this.name(name) });
	}

	/** Reads a group; null means "unset this field". */
	clearableGroup(name: string): Parameters | null | undefined {
		const value = this.#values.get(name);
		if (value === undefined || value instanceof Parameters) return value;
		if (value === "") return null;
		throw invalidRequest("Invalid object", { param: this.name(name) });
	}

	/** Reads a list: `types[]=a&types[]=b`. */
	list(name: string): string[] | undefined {
		const group = this.group(name);
		return group && [...group.#values.keys()].map((key) => group.required(key));
	}

	/** Reads metadata: at most 50 keys of up to 40 characters, with values of up to 500 characters. Null means "unset
	 *  all keys"; an empty value means "unset this key". */
	metadata(name: string): Map<string, string> | null | undefined {
		const group = this.clearableGroup(name);
		if (!group) return group;
		if (group.#values.size > 50) throw invalidRequest("Metadata can have up to 50 keys.", { param: this.name(name) });
		const entries = [...group.#values.keys()].map((key): [string, string] => [key, group.clearable(key) ?? ""]);
		for (const [key, value] of entries) {
			const param = group.name(key);
			if (key.length > 40) throw invalidRequest(`Metadata keys can have up to 40 characters: ${key}`, { param });
			if (value.length > 500) throw invalidRequest(`Metadata values can have up to 500 characters: ${key}`, { param });
		}
		return new Map(entries);
	}
}
