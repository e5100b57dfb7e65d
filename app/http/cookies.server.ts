import { parseCookie, stringifySetCookie } from "cookie";

/** The cookies of a request, and the only code that writes Set-Cookie headers. Every cookie is host-only (`__Host-`),
 *  Secure and HttpOnly. */
export class CookieJar {
	readonly #received: Record<string, string | undefined>;
	readonly #changed = new Map<string, string>();

	constructor(request: Request) {
		this.#received = parseCookie(request.headers.get("Cookie") ?? "");
	}

	/** Returns the value that the browser sent, or null. The value can be forged. */
	get(name: string): string | null {
		return this.#received[name] ?? null;
	}

	/** Returns the values of the cookies whose names start with `prefix`, in the order sent. They can be forged. */
	values(prefix: string): string[] {
		return Object.entries(this.#received).flatMap(([name, value = ""]) => (name.startsWith(prefix) ? [value] : []));
	}

	/** Whether the browser has sent a cookie of the shop. After a response with `findOutIfKept`, only a browser that
	 *  keeps no cookies sends none. */
	get areKept(): boolean {
		return this.values("__Host-").length > 0;
	}

	/** Sets a cookie without information for 30 days, unless the browser has it. */
	findOutIfKept(): void {
		if (this.get("__Host-kept") === null) this.set("__Host-kept", "1", 30 * 24 * 60 * 60);
	}

	/** Sets a cookie. `maxAge` is in seconds; 0 deletes the cookie. */
	set(name: string, value: string, maxAge: number): void {
		const cookie = { name, value, maxAge, path: "/", secure: true, httpOnly: true, sameSite: "lax" } as const;
		this.#changed.set(name, stringifySetCookie(cookie));
	}

	forget(name: string): void {
		this.set(name, "", 0);
	}

	appendTo(headers: Headers): void {
		for (const cookie of this.#changed.values()) headers.append("Set-Cookie", cookie);
	}
}
