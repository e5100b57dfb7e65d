import { d1CalledBy } from "#drizzle/d1-calls.server.ts";
import { routeOf } from "./guard.server.ts";
import { log } from "./log.server.ts";

/** Follows one request: `d1` is D1 with a count of what is asked of it. `close` says what the request came to, in a line
 *  of the log for the people who run the shop and in a header for whoever looks at it in a browser. On Cloudflare clocks
 *  stand still while nothing is waited for, so that the milliseconds are those of waiting. */
export function openRequestLog(request: Request, d1: D1Database) {
	const began = Date.now();
	const asked = { queries: 0, rows: 0, ms: 0 };
	return {
		d1: d1CalledBy(async (make) => {
			const start = Date.now();
			asked.queries += 1;
			try {
				const result = await make();
				asked.rows += rowsIn(result);
				return result;
			} finally {
				asked.ms += Date.now() - start;
			}
		}, d1),
		close(status: number, headers: Headers): void {
			const { queries, rows } = asked;
			const ms = Date.now() - began;
			headers.set("Server-Timing", `total;dur=${ms}, d1;dur=${asked.ms};desc="${queries} queries"`);
			const ray = request.headers.get("CF-Ray");
			const { method, url } = request;
			log("request", { method, route: routeOf(new URL(url)), status, ms, queries, rows, ...(ray && { ray }) });
		},
	};
}

/** Rows that came back or were changed; of a batch, all of its statements'. */
function rowsIn(result: unknown): number {
	if (Array.isArray(result)) return result.reduce<number>((sum, one) => sum + (isResult(one) ? rowsIn(one) : 1), 0);
	return isResult(result) ? result.results.length + result.meta.changes : 0;
}

function isResult(value: unknown): value is D1Result {
	return typeof value === "object" && value !== null && "results" in value && "meta" in value;
}
