const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns the prefix and `length` random characters, unguessable because client secrets are made of them too. */
export function newId(prefix: string, length = 24): string {
	let id = prefix;
	while (id.length < prefix.length + length) {
		for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
			// 248 is the largest multiple of 62 in a byte; higher values would bias the first characters
			if (byte < 248 && id.length < prefix.length + length) id += base62.charAt(byte % 62);
		}
	}
	return id;
}
