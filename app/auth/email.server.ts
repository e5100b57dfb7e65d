/** The one spelling under which an address is stored and looked up: lower case and NFC (twice, since lower-casing can
 *  take a character apart). Null when it cannot be an address: no name or host around the @, blanks, invisible or
 *  control characters, more than 254 characters. Whether it exists only a letter could tell, and this shop sends none. */
export function normalizeEmail(typed: string): string | null {
	const email = typed.trim().normalize("NFC").toLowerCase().normalize("NFC");
	if (email.length > 254 || /[\p{C}\uFFFD]/u.test(typed)) return null;
	return /^[^\s@]+@[^\s@]+$/u.test(email) ? email : null;
}
