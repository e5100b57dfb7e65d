/** Characters that an email must not contain. Default_Ignorable_Code_Point covers fillers and variation selectors. The
 *  listed code points also render blank, but Unicode classifies them as letters, marks or symbols. */
export const invisible =
	/[\p{C}\p{Default_Ignorable_Code_Point}\u2800\u2d7f\u{1107f}\u{13441}\u{13442}\u{16fe4}\u{1d159}\ufffc]/u;

/** Returns an email without the spaces and invisible characters at its ends, which copying can add. */
export function trimEmail(typed: string): string {
	const characters = [...typed];
	const isVisible = (character: string) => character.trim() !== "" && !invisible.test(character);
	return characters.slice(characters.findIndex(isVisible), characters.findLastIndex(isVisible) + 1).join("");
}

/** Returns the canonical form in which an email is stored: lowercase, NFC (applied twice, because lowercasing can
 *  decompose a character) and with the domain in ASCII, because only some browsers convert it. Returns null unless the
 *  text has exactly one @, text before it, a convertible domain after it, and at most 254 characters, none of them a
 *  space, invisible, or U+FFFD, which replaces invalid UTF-8. The shop sends no mail, so it never verifies that the
 *  address exists. */
export function normalizeEmail(typed: string): string | null {
	// normalize() takes time quadratic in the length
	if (typed.length > 1000) return null;
	const trimmed = trimEmail(typed);
	const [, name, domain = ""] = /^([^\s@\ufffd]+)@([^\s@\ufffd]+)$/u.exec(trimmed) ?? [];
	const ascii = toAscii(domain);
	if (name === undefined || ascii === null || invisible.test(trimmed)) return null;
	const email = `${name.normalize("NFC").toLowerCase().normalize("NFC")}@${ascii}`;
	return email.length > 254 ? null : email;
}

/** Returns a domain in ASCII and lowercase (UTS 46), or null if that is impossible. */
function toAscii(domain: string): string | null {
	// the URL parser would also change numbers
	if (/^[ -~]*$/.test(domain)) return domain.toLowerCase();
	// and would omit other parts of a URL, such as a port
	return /^[a-zA-Z\d.\-\u{80}-\u{10ffff}]*$/u.test(domain) ? (URL.parse(`http://${domain}`)?.hostname ?? null) : null;
}
