import fc from "fast-check";
import { expect, test } from "vitest";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { bookmarkCookieName } from "#app/http/databases.server.ts";
import { guestCookiePrefix } from "#app/orders/owner.server.ts";
import { type RawRequest, sendRaw } from "../support/raw-request.ts";
import { dumpTables, read, readProblem } from "../support/response.ts";
import { createFuzzFixtures } from "./fuzz/fixtures.ts";
import { checkPayments, checkRows } from "./fuzz/invariants.ts";
import { isForRuntime } from "./fuzz/mutated-request.ts";
import { anyRequest } from "./fuzz/requests.ts";
import { openFileShop } from "./setup.ts";

const numRuns = Number(process.env["REQUESTS"] ?? (process.env["LONG"] ? 10_000 : 100));
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));

// disables static files, which the Worker does not serve
const shop = await openFileShop({ assets: false });
await shop.disableWebhooks();

const tokens = `(${sessionCookieName}|${guestCookiePrefix}[a-z2-7]{8})=([a-z2-7]{40})?`;
const cookie = new RegExp(
	`^(${tokens}|${bookmarkCookieName}=[\\da-f-]+|__Host-kept=1); Max-Age=\\d+; Path=/; HttpOnly; Secure; SameSite=Lax$`,
);

/** Sends a request and asserts the properties that every response must have. */
async function hold(request: RawRequest, filled: RawRequest, secrets: string[]): Promise<void> {
	const response = await sendRaw(shop.url, filled);
	const { status, headers } = response;
	const header = (name: string) => headers.filter(([given]) => given === name).map(([, value]) => value);
	if (isForRuntime(request) && header("content-security-policy").length === 0) return;
	const body = await read(response);
	for (const secret of secrets) expect(body + JSON.stringify(headers)).not.toContain(secret);
	for (const set of header("set-cookie")) expect(set).toMatch(cookie);
	// redirects stay on the shop's host: a browser reads "//another.site" as a protocol-relative URL
	const here = URL.parse(`http://${filled.headers.find(([name]) => name === "Host")?.[1]}`) ?? shop.url;
	for (const location of header("location")) expect(new URL(location, here).hostname).toBe(here.hostname);
	const isProblem = status >= 400 && request.method !== "HEAD" && header("content-type")[0] === "application/json";
	if (isProblem) await readProblem(response);
}

test(`random requests cause no server error, leak no secret and change no data of others (SEED=${seed} REQUESTS=${numRuns})`, {
	timeout: 60 * 60_000,
}, async () => {
	const fixtures = await createFuzzFixtures(shop);
	const before = await fixtures.readProtectedRows();
	const send = async (request: RawRequest) =>
		hold(request, await fixtures.fill(request), fixtures.secretsFrom(request));
	await fc.assert(fc.asyncProperty(anyRequest, send), { numRuns, seed });

	expect(await fixtures.readProtectedRows()).toEqual(before);
	const { users, sessions } = await dumpTables(shop);
	for (const { email, id } of [users, sessions].flat().map(Object)) {
		expect(id).toMatch(/^(\w{16}|[\da-f]{64})$/);
		if (email) expect(email).toMatch(/^(?=.{3,254}$)[^\s@\p{C}]+@[^\s@\p{C}\p{Lu}]+$/u);
		expect(email).toBe(email?.normalize("NFC").toLowerCase());
	}
	const bad = /"event":"(error|unavailable|webhook_failed|feed_failed|d1_retried)"|_secret_|whsec_|@example\.com/;
	expect(shop.logs().match(new RegExp(`.*(${bad.source}).*`, "g"))).toBe(null);

	// each payment results in one paid order or one refund; a run makes at most five refunds
	await shop.advance(15 * 60);
	const refunds = () => shop.d1.prepare("select count(*) n from refunds").first<number>("n");
	let last: number | null;
	do {
		last = await refunds();
		await shop.reconcile();
	} while ((await refunds()) !== last);
	await shop.reconcile();
	await checkPayments(shop);
	await checkRows(shop);
	expect(shop.logs()).not.toContain('"event":"not_reconciled"');
});
