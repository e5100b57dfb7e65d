/** Returns the form in which an email is stored: without the spaces around it and the invisible characters that copying
 *  can add, in lower case and NFC, with the domain in ASCII, because only some browsers convert it. Returns null unless
 *  it has a name, one @ and a domain, and at most 254 characters, none of them a space, a control character or U+FFFD,
 *  which replaces invalid UTF-8. The shop sends no mail, so it never verifies that the address exists. */
export function normalizeEmail(typed: string): string | null {
	// normalize() takes time quadratic in the length
	if (typed.length > 1000) return null;
	const visible = typed.replace(/\p{Cf}/gu, "").trim();
	const [, name = "", domain = ""] = /^([^\s@\ufffd]+)@([^\s@\ufffd]+)$/u.exec(visible) ?? [];
	// the URL parser would also change numbers, and omit other parts of a URL, such as a port
	const isAscii = /^[ -~]*$/.test(domain);
	const isHost = /^[a-zA-Z\d.\-\u{80}-\u{10ffff}]*$/u.test(domain);
	const host = isAscii ? domain.toLowerCase() : isHost ? URL.parse(`http://${domain}`)?.hostname : null;
	const email = `${name.toLowerCase().normalize("NFC")}@${host}`;
	return host && email.length <= 254 && !/\p{C}/u.test(email) ? email : null;
}
