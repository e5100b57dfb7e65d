const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A fresh id such as `pi_` and 24 characters, unguessable: a client secret is made of the same material. */
export function newId(prefix: string, length = 24): string {
	let id = prefix;
	while (id.length < prefix.length + length) {
		for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
			// 248 is the largest multiple of 62 in a byte: taking more would favour the first characters.
			if (byte < 248 && id.length < prefix.length + length) id += base62.charAt(byte % 62);
		}
	}
	return id;
}
