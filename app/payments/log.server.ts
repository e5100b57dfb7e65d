/** One line of JSON for the people who run the shop; docs/operations.md knows every `event` by its name. Ids and
 *  amounts, never a secret. */
export function log(event: string, details: Record<string, unknown>, level: "info" | "error" = "info"): void {
	const write = level === "error" ? console.error : console.info;
	write(JSON.stringify({ event, ...details }));
}

/** The same for something that went wrong: with the error's own words. */
export function logError(event: string, error: unknown, details: Record<string, unknown> = {}): void {
	log(event, { ...details, message: error instanceof Error ? (error.stack ?? error.message) : String(error) }, "error");
}
