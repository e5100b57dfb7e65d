import { parseCookie, stringifySetCookie } from "cookie";
import { createContext } from "react-router";

/** The request's cookies, and the only place that sets one. Each is `__Host-`: Secure, for the whole site and this
 *  host alone, and out of reach of scripts. */
export class CookieJar {
	readonly #received: Record<string, string | undefined>;
	readonly #changed = new Map<string, string>();

	constructor(request: Request) {
		this.#received = parseCookie(request.headers.get("Cookie") ?? "");
	}

	/** The value that came with the request, as the browser sent it: prove it before you believe it. */
	get(name: string): string | null {
		return this.#received[name] ?? null;
	}

	/** Lives for `maxAge` seconds; 0 makes the browser forget it. */
	set(name: string, value: string, maxAge: number): void {
		this.#changed.set(
			name,
			stringifySetCookie({ name, value, maxAge, path: "/", secure: true, httpOnly: true, sameSite: "lax" }),
		);
	}

	forget(name: string): void {
		this.set(name, "", 0);
	}

	appendTo(headers: Headers): void {
		for (const cookie of this.#changed.values()) headers.append("Set-Cookie", cookie);
	}
}

export const cookiesContext = createContext<CookieJar>();
