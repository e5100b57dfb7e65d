import type { RequestRule } from "./http/guard.server.ts";

const json = { methods: ["POST"], maxBody: 16 * 1024, contentType: /^application\/json\s*(;|$)/i };
const form = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;
const notCharged = "You have not been charged.";

/** What a route accepts that is not in the table below: GET and HEAD, without a body. */
export const pageRule: RequestRule = { methods: ["GET", "HEAD"], maxBody: 0 };

/** What the other routes accept, by their path in routes.ts. React Router checks none of it. */
export const requestRules = new Map<string, RequestRule>([
	["/", { ...pageRule, isCached: true }],
	["/product/:id", { ...pageRule, isCached: true }],
	// its action limits attempts, because it knows the account and keeps the typed email
	["/login", { methods: ["GET", "HEAD", "POST"], maxBody: 16 * 1024, contentType: form, isCached: true }],
	["/logout", { methods: ["POST"], maxBody: 1024 }],
	["/orders/feed", { methods: ["GET"], maxBody: 0, isWebSocket: true }],
	["/payments/create", { methods: ["POST"], maxBody: 0, rateLimited: notCharged }],
	["/payments/place", { ...json, rateLimited: notCharged }],
	["/payments/fulfill", { ...json, rateLimited: "Your payment is being checked." }],
	["/stripe/webhook", { methods: ["POST"], maxBody: 256 * 1024, isCrossOrigin: true }],
]);
