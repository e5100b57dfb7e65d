import { d1CalledBy } from "#drizzle/d1-calls.server.ts";
import { log } from "./log.server.ts";

/** Measures one request to the route `pattern`: `d1` counts the queries made through it, and `close` writes the result
 *  to the log and to the Server-Timing header. On Cloudflare, the clock advances only during I/O, so the measured times
 *  include only the time spent waiting for I/O. */
export function openRequestLog(request: Request, pattern: string, d1: D1Database) {
	const began = Date.now();
	const total = { queries: 0, rows: 0, ms: 0 };
	return {
		d1: d1CalledBy(async (make) => {
			const start = Date.now();
			total.queries += 1;
			try {
				const result = await make();
				total.rows += rowsIn(result);
				return result;
			} finally {
				total.ms += Date.now() - start;
			}
		}, d1),
		close(status: number, headers: Headers): void {
			const { queries, rows } = total;
			const ms = Date.now() - began;
			headers.set("Server-Timing", `total;dur=${ms}, d1;dur=${total.ms};desc="${queries} queries"`);
			const ray = request.headers.get("CF-Ray");
			log("request", { method: request.method, route: pattern, status, ms, queries, rows, ...(ray && { ray }) });
		},
	};
}

/** Returns the number of rows that a query, or all statements of a batch, returned or changed. */
function rowsIn(result: unknown): number {
	if (Array.isArray(result)) return result.reduce<number>((sum, one) => sum + (isResult(one) ? rowsIn(one) : 1), 0);
	return isResult(result) ? result.results.length + result.meta.changes : 0;
}

function isResult(value: unknown): value is D1Result {
	return typeof value === "object" && value !== null && "results" in value && "meta" in value;
}
