const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns the prefix followed by `length` random characters, which are unguessable so that ids can be secrets. */
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
