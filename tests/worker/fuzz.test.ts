import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { checkPayments, checkRows, newestIntent } from "../support/invariants.ts";
import { isForWorkerd } from "../support/mutated-request.ts";
import { type RawRequest, type RawResponse, sendRaw } from "../support/raw-request.ts";
import { dumpTables, read } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { createFuzzFixtures, type FuzzFixtures } from "./fuzz/fixtures.ts";
import { anyRequest } from "./fuzz/requests.ts";

const numRuns = Number(process.env["REQUESTS"] ?? (process.env["LONG"] ? 10_000 : 400));
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));

let shop: Shop;
let fixtures: FuzzFixtures;
let before: { untouchable: unknown; intent: string | undefined };
/** Method, path and status of each response, or "workerd" if workerd rejected the request itself. */
const answers: string[] = [];

// disables static files, which the Worker does not serve
beforeAll(async () => {
	shop = await openShop({ assets: false });
	await shop.disableWebhooks();
	const intent = await newestIntent(shop);
	fixtures = await createFuzzFixtures(shop);
	before = { untouchable: await fixtures.readProtectedRows(), intent };
});
afterAll(() => shop?.close());

const server = /^(Internal Server Error|Bad Request|ERROR: .*)$/;

/** Asserts the properties that every response must have. */
async function hold(asked: RawRequest, answer: RawResponse | null): Promise<void> {
	if (!answer) throw new Error("The connection was closed without a response.");
	const { status, headers } = answer;
	const header = (name: string) => headers.filter(([given]) => given === name).map(([, value]) => value);
	if (isForWorkerd(asked) && header("content-security-policy").length === 0) {
		if (asked.method !== "HEAD") expect(await answer.text()).toMatch(server);
		answers.push("workerd");
		return;
	}
	const path = (asked.target.split("?")[0] ?? "").toLowerCase().replace(/\.data$/, "");
	answers.push(`${asked.method} ${path} ${status}`);

	const body = await read(answer);

	const everything = body + JSON.stringify(headers);
	for (const secret of fixtures.secretsFrom(asked)) expect(everything).not.toContain(secret);
	for (const cookie of header("set-cookie")) {
		expect(cookie).toMatch(
			/^__Host-((session|guest)=([a-z2-7]{40})?|bookmark=[\da-f-]+); Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
		);
	}
	// redirects stay on the shop's host: a browser reads "//another.site" as a protocol-relative URL
	const host = asked.headers.find(([name]) => name === "Host")?.[1].replace("<<host>>", shop.url.host);
	const here = URL.parse(`http://${host}`) ?? shop.url;
	for (const location of header("location")) expect(new URL(location, here).hostname).toBe(here.hostname);
	if (status >= 400 && asked.method !== "HEAD" && header("content-type")[0] === "application/json") {
		expect(JSON.parse(body)).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
	}
}

test(`no random request causes a server error or leaks a secret (SEED=${seed} REQUESTS=${numRuns})`, {
	timeout: 60 * 60_000,
}, async () => {
	await fc.assert(
		fc.asyncProperty(anyRequest, async (asked) => hold(asked, await sendRaw(shop.url, await fixtures.fill(asked)))),
		{ numRuns, seed },
	);
});

test.runIf(numRuns >= 1000)("random requests reach the main outcomes of every route", () => {
	expect(answers).toEqual(
		expect.arrayContaining([
			...["GET /orders 200", "GET /login 200", "GET /nowhere 404"],
			...["POST /login 400", "POST /logout 302", "GET /orders/feed 101", "GET /orders/feed 401"],
			...["POST /payments/create 200", "POST /payments/create 409", "POST /payments/create 400"],
			...["POST /payments/place 200", "POST /payments/place 409", "POST /payments/place 400"],
			...["POST /payments/fulfill 200", "POST /payments/fulfill 404", "POST /payments/fulfill 409"],
			...["POST /stripe/webhook 200", "POST /stripe/webhook 400"],
		]),
	);
	expect(answers.filter((answer) => answer === "workerd").length).toBeLessThan(numRuns / 10);
});

test("random requests leave other customers' data unchanged", async () => {
	expect(await fixtures.readProtectedRows()).toEqual(before.untouchable);
});

test.each<[string, string, Partial<RawRequest>, number]>([
	["a truncated form", "/login", { body: "email=a", framing: "length, breaks off" }, 400],
	["a truncated chunked body", "/payments/place", { body: "{", framing: "chunks, break off" }, 400],
	["a GET with a truncated body", "/", { method: "GET", body: "x", framing: "chunks, break off" }, 400],
	["a form submitted to an upper-case path", "/LOGIN.DATA", { body: "email=a" }, 405],
	["a form submitted to a percent-encoded path", "/login%2edata", { body: "email=a" }, 405],
	["a POST with a percent-encoded slash in the path", "/payments%2fplace", {}, 405],
	["a GET with a body and a line break in the path", "/a%0Ab", { method: "GET", body: "x" }, 404],
	["a form submitted to a path with a line break", "/login%0A", { body: "email=a" }, 405],
	[
		"a cross-origin form with Sec-Fetch-Site: same-origin",
		"/login",
		{ headers: [["Origin", "https://evil.test"]] },
		403,
	],
	["a cross-origin .data request", "/logout.data", { headers: [["Origin", "null"]] }, 403],
	["a cross-origin webhook .data request", "/stripe/webhook.data", { headers: [["Origin", "null"]] }, 403],
])("%s is rejected without a logged error", async (_, target, other, status) => {
	const headers: [string, string][] = [
		["Host", shop.url.host],
		["Sec-Fetch-Site", "same-origin"],
		["Content-Type", "application/x-www-form-urlencoded"],
		...(other.headers ?? []),
	];
	const logged = shop.logs().length;
	const good: RawRequest = { method: "POST", target, headers, body: "", framing: "length" };
	const answer = await sendRaw(shop.url, { ...good, ...other, headers });
	if (!answer) throw new Error("The connection was closed without a response.");
	await read(answer);
	expect(answer.status).toBe(status);
	expect(shop.logs().slice(logged)).not.toContain('"event":"error"');
});

const hash = z.string().regex(/^[\da-f]{64}$/);
const id = z.string().regex(/^\w{16}$/);
const paymentId = z.string().regex(/^pi_[A-Za-z0-9]+$/);
const seconds = z.int().min(1e9).max(2e9);
const cents = z.int().min(50).max(99_999_999);
const rows = z.object({
	users: z.array(
		z.strictObject({
			id,
			email: z
				.string()
				.max(254)
				.regex(/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u)
				.refine((email) => email === email.normalize("NFC").toLowerCase()),
			password_hash: z.string().regex(/^scrypt\$2\$1\$1\$[\w-]{22}\$[\w-]{43}$/),
			created_at: seconds,
		}),
	),
	sessions: z.array(z.strictObject({ id: hash, user_id: id, expires_at: seconds, created_at: seconds })),
	orders: z.array(
		z
			.strictObject({
				payment_intent_id: paymentId,
				user_id: id.nullable(),
				guest_token_hash: hash.nullable(),
				amount: cents,
				status: z.enum(["placed", "paid", "abandoned", "refunded"]),
				created: seconds,
				placed_at: seconds,
				due_at: seconds,
				placed_from: z.nullable(z.string().length(22)),
			})
			.refine(
				({ status, user_id, guest_token_hash }) =>
					status === "abandoned" || (user_id === null) !== (guest_token_hash === null),
			),
	),
	order_items: z.array(
		z.looseObject({ payment_intent_id: paymentId, product_id: z.string().regex(/^\d+$/), price_cents: cents }),
	),
});

test("every stored row matches its schema", async () => {
	expect(rows.safeParse(await dumpTables(shop)).error).toBeUndefined();
});

test("the log of the random requests contains no server errors and no secrets", () => {
	const lines = shop.logs().split("\n");
	expect(lines.length).toBeGreaterThan(numRuns / 20);
	const bad = /"event":"(error|unavailable|webhook_failed|feed_failed|d1_retried)"|_secret_|whsec_|@example\.com/;
	expect(lines.filter((line) => bad.test(line))).toEqual([]);
});

test(
	"every payment results in either one paid order or one refund",
	async () => {
		await shop.advance(15 * 60);
		// a run makes at most five refunds
		const refunded = () => shop.d1.prepare("select count(*) n from refunds").first<number>("n");
		let last: number | null;
		do {
			last = await refunded();
			await shop.reconcile();
		} while ((await refunded()) !== last);
		await shop.reconcile();
		await checkPayments(shop, before.intent);
		await checkRows(shop);
		expect(shop.logs()).not.toContain('"event":"not_reconciled"');
	},
	30 * 60_000,
);
