import type { lock } from "#app/checkout/lock.ts";
import type { OwnerName } from "./owners.ts";
import { currentScope, Scope } from "./scope.ts";
import {
	claim,
	guestHashes,
	hashToken,
	paths,
	respond,
	type ServerResponse,
	type Services,
	sessionCookieName,
} from "./shop.ts";
import type { World } from "./world.ts";

/** A browser with its cookies and its connection to the shop. */
export class Browser {
	readonly #world: World;
	readonly cookies: Map<string, string>;
	readonly #name: string;
	/** The payments that a guest's page has shown as paid: this browser can claim their orders. */
	readonly promised = new Set<string>();
	#deletions = 0;
	/** The requests of each lock, first the page that holds it. */
	readonly #locks = new Map<string, { page: Scope; grant: () => void }[]>();

	constructor(world: World, cookies: Iterable<[string, string]> = []) {
		this.#world = world;
		this.cookies = new Map(cookies);
		this.#name = `browser ${world.browsers.push(this)}`;
	}

	/** Signs in and claims the guest's orders. Does not retry. */
	async signIn(userId: string): Promise<void> {
		const request = this.#request("/login", { method: "POST" });
		for (const hash of guestHashes(this.cookies)) this.#world.monitor.owners.claims(hash, userId);
		const signedIn = this.#exchange("POST /login", null, async (services) => {
			await claim(services, request, userId);
			return { status: 302, body: "", cookies: [`${sessionCookieName}=session-of-${userId}`] };
		});
		await signedIn.then(
			({ cookies }) => this.#receive(cookies),
			() => undefined,
		);
	}

	/** Deletes all cookies, as the shopper or a privacy tool does. */
	async deleteCookies(): Promise<void> {
		await this.#world.scheduler.call(currentScope(), {
			label: () => "the cookies are deleted",
			touches: { reads: [], writes: [this.#name] },
			make: () => {
				this.cookies.clear();
				this.promised.clear();
				this.#deletions++;
			},
		});
	}

	/** The page's `lock`, which holds a lock until the page is closed. */
	lockOf(page: Scope): typeof lock {
		return (name, _mayLeave, { steal = false } = {}) => {
			const { promise, resolve } = Promise.withResolvers<void>();
			const grant = () => {
				page.note(`holds ${name}`);
				page.run(async () => resolve());
			};
			const requests = this.#locks.get(name) ?? [];
			this.#locks.set(name, requests);
			if (steal) requests.splice(0, 1, { page, grant });
			else requests.push({ page, grant });
			if (requests[0]?.grant === grant) grant();
			return promise;
		};
	}

	/** Releases the locks of a page that is closed. */
	releaseLocks(closed: Scope): void {
		for (const [name, requests] of this.#locks) {
			const left = requests.filter(({ page }) => page !== closed);
			this.#locks.set(name, left);
			if (requests[0] !== left[0]) left[0]?.grant();
		}
	}

	/** A digest of everything that the rest of a schedule depends on. */
	get state(): string {
		const locks = [...this.#locks].map(([name, requests]) => [name, ...requests.map(({ page }) => page.name)]);
		return JSON.stringify([...this.cookies, ...locks, ...this.promised, this.#deletions]);
	}

	/** The signed-in customer, or null for a guest. */
	get customer() {
		return this.#world.customers.get(this.cookies.get(sessionCookieName) ?? "") ?? null;
	}

	/** `fetch` for a tab of this browser. Cookies change when the response arrives. */
	readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
		const { signal, ...rest } = init;
		// polls have two addresses
		const path = String(input).replace("/outcome", "/fulfill");
		const request = this.#request(path, rest);
		const { customer } = this;
		const record = this.#recordOwner(path, String(rest.body), customer?.id ?? null);
		const send = (services: Services) => respond(services, request, customer, record.guest);
		const { status, body, cookies } = await this.#exchange(`POST ${path}`, signal ?? null, send);
		this.#receive(cookies);
		if (status === 200) record.success();
		return new Response(body, { status, headers: { "Content-Type": "application/json" } });
	};

	/** Records the owners of place and fulfill requests. Returns functions to call with the hash of the guest's token, and
	 *  when the response has arrived and is a success. */
	#recordOwner(path: string, body: string, customer: string | null) {
		const { owners } = this.#world.monitor;
		const [, clientSecret = "", intent = ""] = /"clientSecret":"((pi_\w+)_secret_\w+)"/.exec(body) ?? [];
		const deletions = this.#deletions;
		const handled = path === paths.fulfill ? this.#world.monitor.handling(intent) : () => {};
		let success = () => {};
		const place = (owner: OwnerName) => {
			if (path === paths.place) success = owners.places(intent, owner);
		};
		if (customer) place(`customer:${customer}`);
		if (customer && path === paths.fulfill) owners.claims(intent, customer);
		const guest = (hash: string) => {
			if (path === paths.create || customer) return;
			place(`guest:${hash}`);
			owners.claims(intent, `guest:${hash}`);
			// the hash of the client secret replaces that of a missing token
			if (deletions > 0) owners.claims(intent, `guest:${hashToken(clientSecret)}`);
			if (path !== paths.fulfill) return;
			const isKept = () => deletions === this.#deletions;
			// a request with the deleted token, which arrives after the deletion, may take the order back
			if (!isKept()) this.promised.delete(intent);
			// its response does not restore the token
			success = () => void (isKept() && this.promised.add(intent));
		};
		return {
			guest,
			success: () => {
				success();
				handled();
			},
		};
	}

	#request(path: string, init: RequestInit): Request {
		const headers = new Headers(init.headers);
		headers.set("Cookie", [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "));
		return new Request(new URL(path, "https://shop"), { ...init, headers });
	}

	/** Sends a request, runs the server's code in its own scope, and waits for the response. */
	async #exchange(
		label: string,
		signal: AbortSignal | null,
		work: (services: Services) => Promise<ServerResponse>,
	): Promise<ServerResponse> {
		const { scheduler } = this.#world;
		const tab = currentScope();
		const server = new Scope(tab.nextChild(label), tab.task, true);
		const common = {
			lost: () => new TypeError("Failed to fetch"),
			signal,
			touches: { reads: [], writes: [tab.task, this.#name] },
		};
		const { promise, resolve, reject } = Promise.withResolvers<ServerResponse>();
		promise.catch(() => undefined);
		signal?.addEventListener("abort", () => reject(signal.reason));
		server.onDeath = () => {
			if (!tab.alive) return;
			tab.note("connection lost");
			reject(common.lost());
		};
		await scheduler.call(tab, {
			...common,
			label: () => label,
			faults: ["fail", "late", "clock"],
			make: () => {
				server.note(tab.history);
				scheduler.start(server, () => work(this.#world.servicesOf(server)).then(resolve, reject));
			},
			textOf: () => "sent",
		});
		const response = await promise.catch((error) => {
			tab.note(String(error));
			throw error;
		});
		// the rest of the tab's code depends on the response, and the state no longer contains the server's history
		tab.note(JSON.stringify(response));
		return scheduler.call(tab, {
			...common,
			label: () => `response to ${label}`,
			faults: ["fail", "crash", "late", "clock"],
			make: () => response,
			textOf: ({ status, body }) => `${status} ${body}`,
		});
	}

	#receive(cookies: string[]): void {
		for (const cookie of cookies) {
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
			if (/max-age=0\b/i.test(cookie)) this.cookies.delete(name);
			else this.cookies.set(name, value);
		}
	}
}
