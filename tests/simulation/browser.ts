import type { OwnerName } from "./owners.ts";
import { currentScope, Scope } from "./scope.ts";
import { claim, guestHash, paths, respond, type ServerResponse, sessionCookieName } from "./shop.ts";
import type { World } from "./world.ts";

let count = 0;

/** A browser: its cookies, and the way of its requests to the shop and back. */
export class Browser {
	readonly #world: World;
	readonly cookies: Map<string, string>;
	readonly #name = `browser ${++count}`;

	constructor(world: World, cookies: Iterable<[string, string]> = []) {
		this.#world = world;
		this.cookies = new Map(cookies);
	}

	/** Signs in: the session's cookie arrives, and what the guest bought is claimed. A sign-in that fails is not repeated. */
	async signIn(userId: string): Promise<void> {
		const request = this.#request("/login", { method: "POST" });
		this.#world.invariants.owners.claims(guestHash(this.cookies), userId);
		const signedIn = this.#exchange("POST /login", null, async (reach) => {
			await claim(reach, request, userId);
			return { status: 302, body: "", cookies: [`${sessionCookieName}=session-of-${userId}`] };
		});
		await signedIn.then(
			({ cookies }) => this.#receive(cookies),
			() => undefined,
		);
	}

	/** Who the server takes this browser for. */
	get customer() {
		return this.#world.customers.get(this.cookies.get(sessionCookieName) ?? "") ?? null;
	}

	signOut(): void {
		this.cookies.clear();
	}

	/** `fetch` for a tab of this browser. Cookies change when the response arrives. */
	readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
		const { signal, ...rest } = init;
		const path = String(input);
		const request = this.#request(path, rest);
		const { customer } = this;
		const answered = this.#watch(path, String(rest.body), customer?.id ?? null);
		const answer = await this.#exchange(`POST ${path}`, signal ?? null, (reach) => respond(reach, request, customer));
		this.#receive(answer.cookies);
		answered(answer.status);
		return new Response(answer.body, { status: answer.status, headers: { "Content-Type": "application/json" } });
	};

	/** Tells the invariants who places and who returns. Returns what to call with the response's status. */
	#watch(path: string, body: string, customer: string | null): (status: number) => void {
		if (path !== paths.place && path !== paths.fulfill) return () => undefined;
		const owner: OwnerName = customer ? `customer:${customer}` : `guest:${guestHash(this.cookies)}`;
		const intent = /"clientSecret":"(pi_\w+)_secret_/.exec(body)?.[1] ?? "";
		const { owners } = this.#world.invariants;
		if (path === paths.fulfill) {
			owners.claims(intent, customer ?? owner);
			return () => undefined;
		}
		const acknowledge = owners.sends(intent, owner);
		return (status) => {
			if (status === 200) acknowledge();
		};
	}

	#request(path: string, init: RequestInit): Request {
		const headers = new Headers(init.headers);
		headers.set("Cookie", [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "));
		return new Request(new URL(path, "https://shop"), { ...init, headers });
	}

	/** Sends a request, runs the server's part in a scope of its own, and waits for the response. */
	async #exchange(
		label: string,
		signal: AbortSignal | null,
		work: (reach: ReturnType<World["reach"]>) => Promise<ServerResponse>,
	): Promise<ServerResponse> {
		const { scheduler } = this.#world;
		const tab = currentScope();
		const server = new Scope(tab.nextChild(label), tab.task, true);
		const common = {
			lost: () => new TypeError("Failed to fetch"),
			signal,
			touches: { reads: [], writes: [tab.task.name, this.#name] },
		};
		const { promise, resolve, reject } = Promise.withResolvers<ServerResponse>();
		promise.catch(() => undefined);
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
				scheduler.start(server, () => work(this.#world.reach(server)).then(resolve, reject));
			},
			textOf: () => "sent",
		});
		const answer = await Promise.race([promise, whenAborted(signal)]);
		return scheduler.call(tab, {
			...common,
			label: () => `response to ${label}`,
			faults: ["fail", "crash", "late", "clock"],
			make: () => answer,
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

function whenAborted(signal: AbortSignal | null): Promise<never> {
	return new Promise((_, reject) => {
		if (signal?.aborted) reject(signal.reason);
		signal?.addEventListener("abort", () => reject(signal.reason));
	});
}
