import { RouterContextProvider } from "react-router";
import { PUBLISHABLE_KEY, WEBHOOK_SECRET } from "stripe-emulator/keys.ts";
import type { Customer } from "#app/auth/customer.server.ts";
import { passwordCost } from "#app/auth/password.server.ts";
import { hashToken, sessionCookieName } from "#app/auth/sessions.server.ts";
import { readCatalogue } from "#app/catalogue/catalogue.server.ts";
import { CookieJar } from "#app/http/cookies.server.ts";
import { openDatabases, openPrimary } from "#app/http/databases.server.ts";
import { errorResponse } from "#app/http/error-response.server.ts";
import { timeouts, withFallback } from "#app/http/timeout.server.ts";
import { claimGuestOrders } from "#app/orders/claim.server.ts";
import { guestCookiePrefix } from "#app/orders/owner.server.ts";
import { handleEvent } from "#app/payments/events.server.ts";
import { reconcile } from "#app/payments/reconcile.server.ts";
import { openPayments, type Payments, withPayments } from "#app/payments/stripe-api.server.ts";
import { action as create } from "#app/routes/payments.create.ts";
import { action as fulfill } from "#app/routes/payments.fulfill.ts";
import { action as place } from "#app/routes/payments.place.ts";
import { openContext, requestContext } from "../../app/http/request-context.server.ts";
import type { Services } from "../../app/http/services.server.ts";
import { withTimeout } from "../../app/ui/timeout.ts";
import { type Finding, recover } from "../../tools/recover/recover.ts";

// The only file that imports the shop's server code.

export { hashToken, type Services, sessionCookieName };

export const paths = { create: "/payments/create", place: "/payments/place", fulfill: "/payments/fulfill" };
const actions = { [paths.create]: create, [paths.place]: place, [paths.fulfill]: fulfill };

/** What an operator can change. */
export interface Settings {
	secretKey: string;
	shopId: string;
}

export interface ServerResponse {
	status: number;
	body: string;
	cookies: string[];
}

interface Calls extends Pick<Services, "now" | "d1"> {
	stripe: typeof fetch;
	notify: (userId: string) => Promise<void>;
}

/** Returns the services of code that makes its calls in this way. */
export function openServices({ secretKey, shopId }: Settings, { now, d1, stripe, notify }: Calls): Services {
	const unused = async () => {
		throw new Error("No scenario calls this.");
	};
	return {
		...{ now, d1, timeouts, passwordCost },
		orderFeed: (userId) => ({ fetch: unused, notify: () => notify(userId), disconnect: unused }),
		rateLimits: { address: { limit: unused }, account: { limit: unused }, order: { limit: unused } },
		stripe: {
			...{ secretKey, publishableKey: PUBLISHABLE_KEY, webhookSecret: WEBHOOK_SECRET, signingKey: secretKey },
			...{ fetch: stripe, scriptUrl: null, sources: { script: [], frame: [], connect: [] }, shopId },
		},
	};
}

/** Caches the catalogue until the process exits, so that schedules do not depend on each other. */
export async function cacheCatalogue(services: Services): Promise<void> {
	const databases = openDatabases(services.d1, new CookieJar(new Request("https://shop")));
	const forever = { ...services, now: () => Number.POSITIVE_INFINITY };
	await readCatalogue({ services: forever, databases, waitUntil() {} });
}

/** Runs the route's action as the Worker does. Calls `onGuest` with the hash of the guest's token that owns the order when
 *  the action reads or sets it. */
export async function respond(
	services: Services,
	request: Request,
	customer: Customer | null,
	onGuest: (hash: string) => void,
): Promise<ServerResponse> {
	const url = new URL(request.url);
	const action = actions[url.pathname];
	if (!action) throw new Error(`${url.pathname} has no action in the simulation.`);
	const route = { pattern: url.pathname, path: url.pathname };
	const authenticate = async () => customer && { id: "", userId: customer.id, email: customer.email, expiresAt: 0 };
	const opened = { ...openContext(request, services, route, { waitUntil }), authenticate };
	const { cookies } = opened;
	const [values, set] = [cookies.values.bind(cookies), cookies.set.bind(cookies)];
	cookies.values = (prefix) => {
		const sent = values(prefix);
		if (prefix === guestCookiePrefix && sent[0]) onGuest(hashToken(sent[0]));
		return sent;
	};
	cookies.set = (name, value, maxAge) => {
		if (name.startsWith(guestCookiePrefix)) onGuest(hashToken(value));
		set(name, value, maxAge);
	};
	const context = new RouterContextProvider(new Map([[requestContext, opened]]));
	const response = await withFallback(
		timeouts.response,
		async () => action({ request, context, url, params: {}, pattern: url.pathname }),
		() => errorResponse(503, "unavailable", "The shop is unavailable."),
	);
	const headers = new Headers();
	cookies.appendTo(headers);
	return { status: response.status, body: await response.text(), cookies: headers.getSetCookie() };
}

export function reconcileOnce(services: Services): Promise<void> {
	const run = (payments: Payments) => withTimeout(timeouts.cron, reconcile(payments));
	return withPayments(services, openPrimary(services.d1), run);
}

/** Handles a verified webhook event. Rejects if the route would return 500. */
export async function receiveEvent(services: Services, event: Parameters<typeof handleEvent>[1]): Promise<void> {
	const databases = { primary: openPrimary(services.d1) };
	await handleEvent(openPayments({ services, databases, waitUntil }), event);
}

/** Compares the payments at Stripe since a time, in Unix seconds, with the orders, as an operator does. */
export function recoverSince(services: Services, since: number, apply: boolean): Promise<Finding[]> {
	return withPayments(services, openPrimary(services.d1), (payments) => recover(payments, since, apply));
}

/** Claims the guest's orders, as a sign-in does. */
export function claim(services: Services, request: Request, userId: string): Promise<boolean> {
	return claimGuestOrders(services, openPrimary(services.d1), new CookieJar(request), userId);
}

/** Lets work continue after the response, in the scope of the request that has started it. */
const waitUntil = () => undefined;

/** Returns the hashes of the guest's tokens, as stored in the database. */
export function guestHashes(cookies: ReadonlyMap<string, string>): string[] {
	return [...cookies].flatMap(([name, token]) => (name.startsWith(guestCookiePrefix) ? [hashToken(token)] : []));
}
