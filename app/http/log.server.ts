/** Writes one line of JSON. docs/incidents.md lists every `event`. Pass ids and amounts, but never secrets. */
export function log(event: string, details: Record<string, unknown>, level: "info" | "error" = "info"): void {
	const write = level === "error" ? console.error : console.info;
	write(JSON.stringify({ event, ...details }));
}

/** Logs the message of an error's root cause, and the error's stack. Omits all other messages, because a failed query's
 *  message contains its parameters, such as hashes and emails. */
export function logError(event: string, error: unknown, details: Record<string, unknown> = {}): void {
	log(event, { ...details, message: firstCause(error), stack: framesOf(error) }, "error");
}

export function firstCause(error: unknown): string {
	return error instanceof Error && error.cause !== undefined ? firstCause(error.cause) : String(error);
}

function framesOf(error: unknown): string | undefined {
	if (!(error instanceof Error) || !error.stack) return undefined;
	const words = error.stack.indexOf(error.message);
	return words === -1 ? undefined : error.stack.slice(words + error.message.length).trim();
}

/** Writes one request to the log, and its duration since `began` to the Server-Timing header. `began` is in
 *  milliseconds of performance.now(). On Cloudflare, the clock advances only during I/O. */
export function logRequest(request: Request, route: string, began: number, status: number, headers: Headers): void {
	const ms = Math.round(performance.now() - began);
	headers.set("Server-Timing", `total;dur=${ms}`);
	const ray = request.headers.get("CF-Ray");
	log("request", { method: request.method, route, status, ms, ...(ray && { ray }) });
}
