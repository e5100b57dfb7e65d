import { expect } from "vitest";
import type { Shop } from "./shop.ts";

/** Headers that every response of the Worker has. */
export const securityHeaders = {
	"content-security-policy": expect.stringMatching(
		/^default-src 'none'; script-src 'self' 'nonce-[a-z2-7]{32}'.*; frame-ancestors 'none'/,
	),
	"strict-transport-security": expect.stringContaining("max-age=63072000"),
	"x-content-type-options": "nosniff",
	"referrer-policy": "strict-origin-when-cross-origin",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"permissions-policy": expect.stringContaining("camera=()"),
	"cache-control": expect.stringMatching(/no-store|private/),
};

/** Returns the directives of a response's Content-Security-Policy, without the value of the nonce. */
export const policyOf = ({ headers }: Response) =>
	headers
		.get("Content-Security-Policy")
		?.replace(/'nonce-[^']+'/, "'nonce'")
		.split("; ");

/** Matches stack traces, SQL errors and keys. */
export const leaks = /\n\s+at |\.tsx?:\d|D1_ERROR|SQLITE|constraint failed|sk_test_|whsec_/;

/** The members that the responses of Node, Miniflare and `sendRaw` have in common. */
interface AnyResponse {
	status: number;
	headers: Iterable<[string, string]>;
	text(): Promise<string>;
}

/** Checks the requirements for every response: no 5xx, all security headers, and no internals in the body. Returns the
 *  body without the comments that React inserts between adjacent text nodes, and without the elements that only say
 *  whether their text may be translated. */
export async function read(response: AnyResponse): Promise<string> {
	const body = await response.text();
	expect(response.status, body).toBeLessThan(500);
	expect(Object.fromEntries(response.headers)).toMatchObject(securityHeaders);
	expect(body).not.toMatch(leaks);
	return body.replaceAll("<!-- -->", "").replaceAll(/<span translate="\w+">(.*?)<\/span>/g, "$1");
}

/** Checks the error response of a JSON route and returns its error code. */
export async function readProblem(response: AnyResponse): Promise<string> {
	const problem: unknown = JSON.parse(await read(response));
	expect(problem).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
	return Object(problem).error.code;
}

/** Returns every row of every table, for assertions that nothing has changed. */
export async function dumpTables({ d1 }: Shop): Promise<Record<string, unknown[]>> {
	const { results: tables } = await d1
		.prepare("select name from sqlite_master where type = 'table' and name not glob '_cf_*'")
		.all<{ name: string }>();
	const contents = await d1.batch(tables.map(({ name }) => d1.prepare(`select * from "${name}"`)));
	return Object.fromEntries(tables.map(({ name }, index) => [name, contents[index]?.results ?? []]));
}
