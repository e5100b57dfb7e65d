/** Returns the fields that a console form submits: with its default values, and with each option of each select. */
export function fillings(form: string): Record<string, string>[] {
	const choices = [...form.matchAll(/<select name="(\w+)">(.*?)<\/select>/gs)].flatMap(([, name = "", options = ""]) =>
		[...options.matchAll(/value="(.*?)"/g)].map(([, value = ""]) => ({ [name]: value })),
	);
	const inputs = [...form.matchAll(/<(?:input|button) [^>]*>/g)].flatMap(([input]) => {
		const [, name] = / name="(\w+)"/.exec(input) ?? [];
		return name ? [{ [name]: / value="(.*?)"/.exec(input)?.[1] ?? "" }] : [];
	});
	const defaults = Object.assign({}, ...choices.toReversed(), ...inputs.toReversed());
	return [defaults, ...choices.map((choice) => ({ ...defaults, ...choice }))];
}
