import { generateIdFromEntropySize } from "lucia";
import { createContext } from "react-router";
import { findSessionOf } from "#app/auth/customer.server.ts";
import type { Session } from "#app/auth/sessions.server.ts";
import { CookieJar } from "./cookies.server.ts";
import { type Databases, openDatabases } from "./databases.server.ts";
import type { RouteMatch } from "./route-match.server.ts";
import type { Services } from "./services.server.ts";

/** What belongs to one request. Loaders and actions read it from their context. */
export interface RequestContext {
	services: Services;
	cookies: CookieJar;
	databases: Databases;
	/** Returns the session of the customer who sent the request; null for a guest. Runs its query once. Rejects if D1
	 *  fails. */
	authenticate(): Promise<Session | null>;
	route: RouteMatch;
	/** The script nonce of the response. */
	nonce: string;
	/** Lets work continue after the response. */
	waitUntil(work: Promise<unknown>): void;
}

export const requestContext = createContext<RequestContext>();

export function openContext(
	request: Request,
	services: Services,
	route: RouteMatch,
	{ waitUntil }: Pick<RequestContext, "waitUntil">,
): RequestContext {
	const cookies = new CookieJar(request);
	const databases = openDatabases(services.d1, cookies);
	let session: Promise<Session | null> | undefined;
	const authenticate = () => {
		session ??= findSessionOf(request, { services, cookies, databases, waitUntil });
		return session;
	};
	return { services, cookies, databases, authenticate, route, nonce: generateIdFromEntropySize(20), waitUntil };
}
