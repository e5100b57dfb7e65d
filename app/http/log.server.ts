/** Writes one line of JSON. docs/operations.md lists every `event`. Pass ids and amounts, never a secret. */
export function log(event: string, details: Record<string, unknown>, level: "info" | "error" = "info"): void {
	const write = level === "error" ? console.error : console.info;
	write(JSON.stringify({ event, ...details }));
}

/** Logs an error: its first cause's message, and its stack. Other messages are left out, because that of a failed
 *  query contains its parameters, such as hashes and emails. */
export function logError(event: string, error: unknown, details: Record<string, unknown> = {}): void {
	log(event, { ...details, message: firstCause(error), stack: framesOf(error) }, "error");
}

function firstCause(error: unknown): string {
	return error instanceof Error && error.cause !== undefined ? firstCause(error.cause) : String(error);
}

function framesOf(error: unknown): string | undefined {
	if (!(error instanceof Error) || !error.stack) return undefined;
	const words = error.stack.indexOf(error.message);
	return words === -1 ? undefined : error.stack.slice(words + error.message.length).trim();
}
