/** Characters that an email must not contain. Default_Ignorable_Code_Point covers fillers and variation selectors. The
 *  listed code points also render blank, but Unicode classifies them as letters, marks or symbols. U+FFFD replaces
 *  invalid UTF-8. */
const invisible =
	/[\p{C}\p{Default_Ignorable_Code_Point}\u2800\u2d7f\u{1107f}\u{13441}\u{13442}\u{16fe4}\u{1d159}\ufffc\ufffd]/u;

/** Returns the canonical form in which an email is stored: lowercase and NFC (applied twice, because lowercasing can
 *  decompose a character). Returns null for text that cannot be an email: text with nothing before or after the @, with
 *  spaces, with invisible or control characters, or with more than 254 characters. The shop sends no mail, so it never
 *  verifies that the address exists. */
export function normalizeEmail(typed: string): string | null {
	// normalize() takes time quadratic in the length
	if (typed.length > 1000) return null;
	const email = typed.trim().normalize("NFC").toLowerCase().normalize("NFC");
	if (email.length > 254 || invisible.test(typed)) return null;
	return /^[^\s@]+@[^\s@]+$/u.test(email) ? email : null;
}
