import type { Services } from "#app/services.server.ts";
import { log, logError } from "./log.server.ts";
import { withTimeout } from "./timeout.ts";

/** Seconds: the minute over which Cloudflare counts. */
const retryAfter = 60;

/** Counts a request for `key`, and returns whether it is one too many in a minute. Cloudflare counts at each of its
 *  locations, and approximately: enough to slow down guessing and flooding. When the limiter fails, no request is
 *  refused. */
export async function isRateLimited(
	{ rateLimits, timeouts }: Pick<Services, "rateLimits" | "timeouts">,
	per: keyof Services["rateLimits"],
	key: string,
): Promise<boolean> {
	try {
		const { success } = await withTimeout(timeouts.rateLimit, rateLimits[per].limit({ key }));
		// a page that waits for its payment reaches this limit, and no request is refused
		if (!success && per !== "order") log("rate_limited", { per });
		return !success;
	} catch (error) {
		logError("rate_limit_failed", error, { per });
		return false;
	}
}

/** The headers of a 429 response. */
export const retryLater = { "Retry-After": String(retryAfter) };

/** Returns the address whose requests are counted together. Only Cloudflare's own header is trusted, because clients
 *  can send the others. For IPv6 it is the first 56 bits, the network that providers assign to one customer. */
export function addressOf(request: Request): string {
	const address = request.headers.get("CF-Connecting-IP") ?? "nobody";
	if (!address.includes(":")) return address;
	const [before = [], after = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
	const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
	const [first, second, third, fourth = "0"] = [...before, ...zeros, ...after];
	return [first, second, third, fourth.padStart(4, "0").slice(0, 2)].join(":");
}
