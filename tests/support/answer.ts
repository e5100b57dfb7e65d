import { expect } from "vitest";
import type { Shop } from "./shop.ts";

/** What every answer of the Worker carries. */
export const securityHeaders = {
	"content-security-policy": expect.stringMatching(/^default-src 'none'; script-src 'self' 'nonce-[\w-]{36}'/),
	"strict-transport-security": expect.stringContaining("max-age=63072000"),
	"x-content-type-options": "nosniff",
	"referrer-policy": "strict-origin-when-cross-origin",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"permissions-policy": expect.stringContaining("camera=()"),
	"cache-control": expect.stringMatching(/no-store|private/),
};

/** Words from the inside: stacks, SQL, keys. */
export const leaks = /\n\s+at |\.tsx?:\d|D1_ERROR|SQLITE|constraint failed|sk_test_|whsec_/;

/** As much of a Response as is looked at, so that it may be Node's or Miniflare's. */
interface Answer {
	status: number;
	headers: Iterable<[string, string]>;
	text(): Promise<string>;
}

/** Holds what is true of any answer of the Worker, good or bad: never our fault, always under the security headers,
 *  silent about what is inside. Gives back the body, without the comments in which React marks where texts meet. */
export async function read(response: Answer): Promise<string> {
	const body = await response.text();
	expect(response.status, body).toBeLessThan(500);
	expect(Object.fromEntries(response.headers)).toMatchObject(securityHeaders);
	expect(body).not.toMatch(leaks);
	return body.replaceAll("<!-- -->", "");
}

/** The refusal of a JSON route: its code. */
export async function readProblem(response: Answer): Promise<string> {
	const problem: unknown = JSON.parse(await read(response));
	expect(problem).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
	return Object(problem).error.code;
}

/** Every row of every table, for saying that nothing has changed. */
export async function everythingIn({ d1 }: Shop): Promise<Record<string, unknown[]>> {
	const { results: tables } = await d1
		.prepare("select name from sqlite_master where type = 'table' and name not glob '_cf_*'")
		.all<{ name: string }>();
	const contents = await d1.batch(tables.map(({ name }) => d1.prepare(`select * from "${name}"`)));
	return Object.fromEntries(tables.map(({ name }, index) => [name, contents[index]?.results ?? []]));
}
