import { log } from "./log.server.ts";

/** Writes one request to the log, and its duration since `began` to the Server-Timing header. `began` is in Unix
 *  milliseconds. On Cloudflare, the clock advances only during I/O. */
export function logRequest(request: Request, route: string, began: number, status: number, headers: Headers): void {
	const ms = Date.now() - began;
	headers.set("Server-Timing", `total;dur=${ms}`);
	const ray = request.headers.get("CF-Ray");
	log("request", { method: request.method, route, status, ms, ...(ray && { ray }) });
}
