// The rules of Mozilla's HTTP Observatory (mdn-http-observatory 1.4.8, algorithm 4) that apply to a shop. Rules that need the
// network, such as the preload list, give no points here.

interface Page {
	headers: Headers;
	html: string;
	/** The response of the same URL over plain HTTP. */
	inTheClear: { status: number; location: string | null };
}

/** Returns the score: 100 and the sum of the points, where bonuses count only if penalties total at most 10. */
export function score(page: Page): number {
	const points = Object.values(judge(page));
	const kept = 100 + points.filter((point) => point < 0).reduce((sum, point) => sum + point, 0);
	return kept < 90 ? kept : kept + points.filter((point) => point > 0).reduce((sum, point) => sum + point, 0);
}

/** Returns the points of each rule. */
export function judge({ headers, html, inTheClear }: Page): Record<string, number> {
	const policy = parse(headers.get("Content-Security-Policy"));
	const resourcePolicy = headers.get("Cross-Origin-Resource-Policy") ?? "";
	return {
		"content-security-policy": ofPolicy(policy),
		cookies: ofCookies(headers.getSetCookie()),
		"cross-origin-resource-policy": /^same-(origin|site)$/.test(resourcePolicy) ? 10 : 0,
		"cross-origin-resource-sharing": headers.has("Access-Control-Allow-Credentials") ? -50 : 0,
		redirection: inTheClear.status === 301 && inTheClear.location?.startsWith("https:") ? 0 : -20,
		"referrer-policy": ofReferrers(headers.get("Referrer-Policy")),
		"strict-transport-security": ofTransport(headers.get("Strict-Transport-Security")),
		"subresource-integrity": ofScripts(html),
		"x-content-type-options": headers.get("X-Content-Type-Options") === "nosniff" ? 0 : -5,
		"x-frame-options": policy?.has("frame-ancestors") ? 5 : -20,
	};
}

type Policy = Map<string, string[]>;

function parse(header: string | null): Policy | null {
	if (!header) return null;
	const directives = header.split(";").map((directive) => directive.trim().split(/\s+/));
	return new Map(directives.map(([name = "", ...sources]) => [name, sources]));
}

const broad = /^(ftp:|https?:(\/\/\*(\.\*)?)?|\*)$/;

function ofPolicy(policy: Policy | null): number {
	if (!policy) return -25;
	const sourcesOf = (name: string) => policy.get(name) ?? policy.get("default-src") ?? ["*"];
	const [scripts, styles] = [sourcesOf("script-src"), sourcesOf("style-src")].map((sources) =>
		// a nonce or a hash disables unsafe-inline
		sources.some((source) => /^'(nonce|sha)/.test(source))
			? sources.filter((one) => one !== "'unsafe-inline'")
			: sources,
	);
	const isUnsafe = (source: string) => broad.test(source) || source === "'unsafe-inline'" || source === "data:";
	const images = new Set([...sourcesOf("img-src"), ...sourcesOf("media-src")]);
	const isPassive = (name: string) => name === "img-src" || name === "media-src";
	const active = [...policy].filter(([name]) => !isPassive(name)).flatMap(([, sources]) => sources);

	if (scripts?.some(isUnsafe) || sourcesOf("object-src").some((source) => broad.test(source))) return -20;
	if (active.some((source) => source.startsWith("http:"))) return -20;
	if ([...(scripts ?? []), ...(styles ?? [])].includes("'unsafe-eval'")) return -10;
	if ([...images].some((source) => source.startsWith("http:"))) return -10;
	if (styles?.some(isUnsafe)) return 0;
	return policy.get("default-src")?.join() === "'none'" ? 10 : 5;
}

function ofCookies(cookies: string[]): number {
	if (cookies.length === 0) return 0;
	if (cookies.some((cookie) => !/; Secure/i.test(cookie))) return -20;
	if (cookies.some((cookie) => !/; HttpOnly/i.test(cookie))) return -30;
	return cookies.every((cookie) => /; SameSite=(Lax|Strict)/i.test(cookie)) ? 5 : 0;
}

function ofReferrers(header: string | null): number {
	if (!header) return 0;
	return /^(no-referrer|same-origin|strict-origin|strict-origin-when-cross-origin)$/.test(header) ? 5 : -5;
}

function ofTransport(header: string | null): number {
	const [, seconds] = /max-age=(\d+)/.exec(header ?? "") ?? [];
	if (!seconds) return -20;
	return Number(seconds) >= 15_768_000 ? 0 : -10;
}

/** Penalizes scripts of other hosts without an integrity hash. */
function ofScripts(html: string): number {
	const foreign = [...html.matchAll(/<script\b[^>]*\ssrc="((?:https?:)?\/\/[^"]*)"[^>]*>/gi)];
	if (foreign.some(([tag, url]) => !url?.startsWith("https:") && !tag.includes("integrity="))) return -50;
	return foreign.some(([tag]) => !tag.includes("integrity=")) ? -5 : 0;
}
