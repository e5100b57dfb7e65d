/** One line of JSON for the people who run the shop; docs/operations.md knows every `event` by its name. Ids and
 *  amounts, never a secret. */
export function log(event: string, details: Record<string, unknown>, level: "info" | "error" = "info"): void {
	const write = level === "error" ? console.error : console.info;
	write(JSON.stringify({ event, ...details }));
}

/** The same for something that went wrong: the words of its first cause, and where it came about. The words around that
 *  cause stay out: a failed query's hold its parameters, hashes and e-mail addresses among them. */
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
