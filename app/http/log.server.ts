/** Writes one line of JSON. docs/operations.md lists every `event`. Pass ids and amounts, but never secrets. */
export function log(event: string, details: Record<string, unknown>, level: "info" | "error" = "info"): void {
	const write = level === "error" ? console.error : console.info;
	write(JSON.stringify({ event, ...details }));
}

/** Logs the message of an error's root cause, and the error's stack. Omits all other messages, because a failed query's
 *  message contains its parameters, such as hashes and emails. */
export function logError(event: string, error: unknown, details: Record<string, unknown> = {}): void {
	log(event, { ...details, message: firstCause(error), stack: framesOf(error) }, "error");
}

/** Returns the message of an error's root cause. */
export function firstCause(error: unknown): string {
	return error instanceof Error && error.cause !== undefined ? firstCause(error.cause) : String(error);
}

function framesOf(error: unknown): string | undefined {
	if (!(error instanceof Error) || !error.stack) return undefined;
	const words = error.stack.indexOf(error.message);
	return words === -1 ? undefined : error.stack.slice(words + error.message.length).trim();
}
