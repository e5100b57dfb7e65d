import { generateIdFromEntropySize } from "lucia";
import { createContext } from "react-router";
import { findVisitor, type Visitor } from "./auth/customer.server.ts";
import { CookieJar } from "./http/cookies.server.ts";
import { type Databases, openDatabases } from "./http/databases.server.ts";
import type { RouteMatch } from "./http/route-match.server.ts";
import type { Services } from "./services.server.ts";

/** What belongs to one request. Loaders and actions read it from their context. */
export interface RequestContext {
	services: Services;
	cookies: CookieJar;
	databases: Databases;
	/** Returns the visitor who sent the request. Runs its query once. Rejects if D1 fails. */
	authenticate(): Promise<Visitor>;
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
	let visitor: Promise<Visitor> | undefined;
	const authenticate = () => {
		visitor ??= findVisitor(request, cookies, databases);
		return visitor;
	};
	return { services, cookies, databases, authenticate, route, nonce: generateIdFromEntropySize(20), waitUntil };
}
