/** Default_Ignorable_Code_Point covers fillers and variation selectors. The others render blank, too, but Unicode
 *  classifies them as letters, marks or symbols. U+FFFD is what remains of invalid UTF-8. */
const invisible =
	/[\p{C}\p{Default_Ignorable_Code_Point}\u2800\u2d7f\u{1107f}\u{13441}\u{13442}\u{16fe4}\u{1d159}\ufffc\ufffd]/u;

/** Returns the one spelling in which an address is stored: lower case and NFC (applied twice, because lower-casing
 *  can decompose a character). Returns null for text that can't be an address: nothing before or after the @, blanks,
 *  invisible or control characters, or more than 254 characters. The shop sends no mail, so it never verifies that
 *  the address exists. */
export function normalizeEmail(typed: string): string | null {
	// the time of normalize() grows with the square of the length
	if (typed.length > 1000) return null;
	const email = typed.trim().normalize("NFC").toLowerCase().normalize("NFC");
	if (email.length > 254 || invisible.test(typed)) return null;
	return /^[^\s@]+@[^\s@]+$/u.test(email) ? email : null;
}
