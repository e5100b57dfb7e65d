import { withTimeout } from "#app/ui/timeout.ts";
import { log, logError } from "./log.server.ts";
import type { Services } from "./services.server.ts";

/** Value of Retry-After, in seconds: Cloudflare counts requests per minute. */
const retryAfter = 60;

/** The address of every client if Cloudflare removes CF-Connecting-IP. */
const noAddress = "nobody";

/** Counts a request for `key`, and returns whether it exceeds the limit per minute, which wrangler.toml sets. Cloudflare
 *  counts approximately and separately at each of its locations, which is enough to slow down guessing and flooding. If
 *  the limiter fails, the request is allowed. */
export async function isRateLimited(
	{ rateLimits, timeouts }: Pick<Services, "rateLimits" | "timeouts">,
	per: keyof Services["rateLimits"],
	key: string,
): Promise<boolean> {
	try {
		const { success } = await withTimeout(timeouts.rateLimit, rateLimits[per].limit({ key }));
		// not logged for orders: polling a payment can reach this limit, and the request is still served
		if (!success && per !== "order") log("rate_limited", { per });
		if (!success && key.endsWith(` ${noAddress}`)) {
			const action = "Turn off the rule in Cloudflare that removes CF-Connecting-IP: all visitors share one limit.";
			log("no_client_address", { per, action }, "error");
		}
		return !success;
	} catch (error) {
		logError("rate_limit_failed", error, { per });
		return false;
	}
}

/** The headers of a 429 response. */
export const retryLater = { "Retry-After": String(retryAfter) };

/** Returns the address by which requests are rate-limited. Uses only Cloudflare's own header, because clients can forge
 *  the others. For IPv6, returns the first 56 bits, the network that providers assign to one customer. For an
 *  IPv4-mapped IPv6 address, returns the IPv4 address. */
export function addressOf(request: Request): string {
	const address = (request.headers.get("CF-Connecting-IP") ?? noAddress).replace(/^::ffff:(?=[\d.]+$)/i, "");
	if (!address.includes(":")) return address;
	const [before = [], after = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
	const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
	const [first, second, third, fourth = "0"] = [...before, ...zeros, ...after];
	return [first, second, third, fourth.padStart(4, "0").slice(0, 2)].join(":");
}
