/** Returns whether the text has the form of an email address. */
export function isEmail(text: string): boolean {
	const [name = "", domain = "", ...rest] = text.split("@");
	const end = domain.length - domain.lastIndexOf(".") - 1;
	return name !== "" && rest.length === 0 && !/\s/.test(text) && domain.lastIndexOf(".") > 0 && end >= 2;
}
