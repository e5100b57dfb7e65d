import { RouterContextProvider } from "react-router";
import { passwordCost } from "#app/auth/password.server.ts";
import { CookieJar } from "#app/http/cookies.server.ts";
import { openContext, requestContext } from "../../app/http/request-context.server.ts";
import type { Services, StripeAccount } from "../../app/http/services.server.ts";

/** Timeouts that no unit test reaches, in milliseconds. */
export const timeouts: Services["timeouts"] = {
	...{ work: 60_000, response: 60_000, read: 60_000, cron: 60_000, stripeCall: 60_000 },
	...{ feed: 60_000, rateLimit: 60_000, hashQueue: 60_000 },
};

/** Throws, in place of a service that a test does not expect to be called. */
export function refuse(): never {
	throw new Error("nothing is there");
}

/** A Stripe account whose calls throw. */
export const stripe: StripeAccount = {
	...{ secretKey: "sk_test_1", publishableKey: "pk_test_1", webhookSecret: "whsec_1", signingKey: "sk_test_1" },
	...{ fetch: refuse, scriptUrl: null, sources: { script: [], frame: [], connect: [] }, shopId: "half-dozen" },
};

const unreachable: Services = {
	...{ now: refuse, stripe, orderFeed: refuse, timeouts, passwordCost },
	d1: { prepare: refuse, batch: refuse, exec: refuse, dump: refuse, withSession: refuse },
	rateLimits: { address: { limit: refuse }, account: { limit: refuse }, order: { limit: refuse } },
};

/** Returns rate limiters that allow the requests for which `isAllowed` returns true. */
export function rateLimits(isAllowed: (key: string, per: string) => boolean): Services["rateLimits"] {
	const limiter = (per: string) => ({ limit: async ({ key }: RateLimitOptions) => ({ success: isAllowed(key, per) }) });
	return { address: limiter("address"), account: limiter("account"), order: limiter("order") };
}

/** Opens a request to `path` with a Cookie header. It is a POST request if it has a `body`, which is sent as JSON.
 *  Services that are not in `given` throw. */
export function openRequest(path: string, cookie: string, body: object | undefined, given: Partial<Services>) {
	const services = { ...unreachable, ...given };
	const url = new URL(path, "https://shop.test");
	const headers = { Cookie: cookie, "Content-Type": "application/json" };
	const request = new Request(url, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
	const opened = openContext(request, services, { pattern: path, path }, { waitUntil() {} });
	const context = new RouterContextProvider(new Map([[requestContext, opened]]));
	return { services, authenticate: opened.authenticate, args: { request, url, context, params: {} } };
}

export function openCookies(cookie?: string): CookieJar {
	return new CookieJar(new Request("https://shop.test/", cookie === undefined ? {} : { headers: { Cookie: cookie } }));
}

export function setCookies(cookies: CookieJar): string[] {
	const headers = new Headers();
	cookies.appendTo(headers);
	return headers.getSetCookie();
}
