import type { RequestRule } from "#app/http/guard.server.ts";

const json = { methods: ["POST"], maxBody: 16 * 1024, contentType: /^application\/json\s*(;|$)/i };
const form = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

/** The rule of every route that is not listed below: GET and HEAD, without a body. */
export const pageRule: RequestRule = { methods: ["GET", "HEAD"], maxBody: 0 };

/** The rules of the other routes, by their path in routes.ts. React Router enforces none of them. */
export const requestRules = new Map<string, RequestRule>([
	["/", { ...pageRule, isCached: true }],
	["/product/:id", { ...pageRule, isCached: true }],
	// not limitsAddress: the action itself limits attempts, also per account, and keeps the typed email in the form
	[
		"/login",
		{ methods: ["GET", "HEAD", "POST"], maxBody: 16 * 1024, contentType: form, isCached: true, needsCookies: true },
	],
	["/logout", { methods: ["POST"], maxBody: 1024 }],
	["/orders", { methods: ["GET", "HEAD", "POST"], maxBody: 1024 }],
	["/orders/feed", { methods: ["GET"], maxBody: 0, isWebSocket: true }],
	["/payments/create", { methods: ["POST"], maxBody: 0, limitsAddress: true }],
	["/payments/place", { ...json, limitsAddress: true }],
	["/payments/fulfill", { ...json, limitsAddress: true }],
	// the same action, because a browser's extension may block the other address
	["/payments/outcome", { ...json, limitsAddress: true }],
	["/stripe/webhook", { methods: ["POST"], maxBody: 256 * 1024, isCrossOrigin: true }],
]);
