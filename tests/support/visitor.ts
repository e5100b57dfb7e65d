import type { Shop } from "./shop.ts";

let visitors = 0;

/** Somebody with a browser's manners but no browser: keeps cookies, says where requests come from, has an address of
 *  their own. */
export class Visitor {
	readonly #shop: Shop;
	readonly #cookies = new Map<string, string>();
	readonly #address = `10.${Math.floor(++visitors / 250)}.${visitors % 250}.${process.pid % 250}`;
	readonly email = `visitor-${crypto.randomUUID()}@example.com`;
	readonly password = "correct horse battery";

	constructor(shop: Shop) {
		this.#shop = shop;
	}

	async fetch(path: string, init: RequestInit = {}): Promise<Response> {
		const headers = new Headers(init.headers);
		const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`);
		if (cookies.length > 0) headers.set("Cookie", cookies.join("; "));
		if (init.method === "POST" && !headers.has("Origin")) headers.set("Origin", this.#shop.url.origin);
		headers.set("CF-Connecting-IP", this.#address);
		const response = await this.#shop.fetch(path, { ...init, headers });
		for (const cookie of response.headers.getSetCookie()) {
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
			if (/Max-Age=0\b/i.test(cookie)) this.#cookies.delete(name);
			else this.#cookies.set(name, value);
		}
		return response;
	}

	/** Sends a form. Pairs, so that a field can be there twice. */
	submit(path: string, fields: Record<string, string> | [string, string][]): Promise<Response> {
		return this.fetch(path, { method: "POST", body: new URLSearchParams(fields) });
	}

	postJson(path: string, body: unknown): Promise<Response> {
		return this.fetch(path, {
			method: "POST",
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify(body),
		});
	}

	async page(path: string): Promise<string> {
		return (await this.fetch(path)).text();
	}

	createAccount(): Promise<Response> {
		return this.submit("/login", { email: this.email, password: this.password, intent: "create-account" });
	}

	signIn(): Promise<Response> {
		return this.submit("/login", { email: this.email, password: this.password, intent: "sign-in" });
	}

	signOut(): Promise<Response> {
		return this.submit("/logout", {});
	}

	cookie(name: string): string | undefined {
		return this.#cookies.get(name);
	}

	setCookie(name: string, value: string): void {
		this.#cookies.set(name, value);
	}
}
