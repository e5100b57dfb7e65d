import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { book } from "../support/catalogue.ts";
import { sendRaw } from "../support/raw-request.ts";
import { openShop, type Shop } from "../support/shop.ts";

// One isolate serves many clients concurrently, so a request that takes seconds of CPU delays all of them. A
// synchronous loop in a Worker cannot be interrupted, so each request must be cheap, regardless of its size.

const numRuns = process.env["LONG"] ? 2000 : 40;
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** Maximum cost of a large request, as a multiple of the cost of a plain request to the same route. */
const maxRatio = 20;
/** Approximate limit of workerd for a request's target and headers, in bytes. */
const maxHead = 15_000;

interface Sent {
	path: string;
	method: string;
	headers: Record<string, string>;
	body?: string;
}

const json = { "Content-Type": "application/json" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };
const place = { clientSecret: "pi_1_secret_1", productIds: [book.id], customer: null };

/** A plain request to each route. */
const plain: Sent[] = [
	...[
		"/?a=1",
		"/login",
		"/product/12321341",
		"/checkout",
		"/payment",
		"/orders",
		"/orders.data",
		"/nowhere",
		"/healthz",
		"/sitemap.xml",
		"/orders/feed",
	].map((path) => ({ path, method: "GET", headers: {} })),
	{ path: "/login", method: "POST", headers: form, body: "email=a%40b&intent=sign-in" },
	{ path: "/logout", method: "POST", headers: {} },
	{ path: `/payments/create?total=${book.priceCents}`, method: "POST", headers: {} },
	{ path: "/payments/place", method: "POST", headers: json, body: JSON.stringify(place) },
	{ path: "/payments/fulfill", method: "POST", headers: json, body: JSON.stringify({ clientSecret: "pi_1_secret_1" }) },
	{ path: "/stripe/webhook", method: "POST", headers: { ...json, "Stripe-Signature": "t=1,v1=a" }, body: "{}" },
];

/** Generates text that repeats a short piece up to `maxLength`. */
const repeated = (pieces: string[], maxLength: number) =>
	fc
		.tuple(fc.constantFrom(...pieces), fc.constantFrom(0.1, 0.5, 1), fc.constantFrom("", "x", "\u0021"))
		.map(([piece, share, end]) => piece.repeat(Math.floor((maxLength * share) / piece.length)) + end);

const paths = repeated(
	["/", "/a", "/a/", "a", "%61", "%2f", "%", ".data", "/_.data", "/%0a", "/..;", "-", "."],
	maxHead,
);
const queries = repeated(
	["a=1&", "&", "=", "_routes=a,", "_routes=root&", ",", "total=1&", "before=1-pi_", "1", "%"],
	maxHead,
);
const headers = fc.oneof(
	repeated(["a=b; ", "a;", ";", "=", " ", "__Host-session=a; ", "__Host-guest=", "%61"], maxHead).map((Cookie) => ({
		Cookie,
	})),
	repeated(
		["a", "a,", "text/html,", ";", " ", "\t", "t=1,v1=a,", "v1=", ":", "1:", "/", "-", "W/", '"'],
		maxHead,
	).chain((value) =>
		fc
			.constantFrom(
				...["Accept", "Accept-Language", "Content-Type", "Referer", "Origin", "User-Agent", "If-None-Match", "Purpose"],
				...[
					"Sec-Purpose",
					"Stripe-Signature",
					"previous-client-secret",
					"CF-Connecting-IP",
					"X-Forwarded-For",
					"Range",
				],
			)
			.map((name) => ({ [name]: `a${value}a` })),
	),
	fc
		.integer({ min: 1, max: 400 })
		.map((count) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, "a"]))),
);
const bodies = fc
	.constantFrom(1024, 16 * 1024, 256 * 1024)
	.chain((length) =>
		repeated(
			[
				"[",
				'{"a":',
				'"',
				"\\",
				"[],",
				"1",
				"a=b&",
				"&",
				"email=",
				"email=a&",
				"password=%20",
				"+",
				" ",
				"@",
				"a@",
				"\u00e9",
				"--a\r\n",
			],
			length,
		),
	);

/** Generates a large request to the same route. */
const enlarged = (sent: Sent): fc.Arbitrary<Sent> =>
	fc.oneof(
		{ weight: 3, arbitrary: paths.map((path) => ({ ...sent, path: sent.path.replace(/(?=\?)|$/, path) })) },
		{
			weight: 2,
			arbitrary: queries.map((query) => ({
				...sent,
				path: `${sent.path}${sent.path.includes("?") ? "&" : "?"}${query}`,
			})),
		},
		{ weight: 3, arbitrary: headers.map((more) => ({ ...sent, headers: { ...sent.headers, ...more } })) },
		...(sent.body === undefined ? [] : [{ weight: 4, arbitrary: bodies.map((body) => ({ ...sent, body })) }]),
	);

let shop: Shop;
beforeAll(async () => {
	shop = await openShop({ assets: false });
});
afterAll(() => shop?.close());

/** Sends a request and returns the time until the response is read, in milliseconds. */
async function cost({ path, method, headers, body }: Sent): Promise<number> {
	const start = performance.now();
	const response = await shop.fetch(shop.url.origin + path, {
		method,
		headers: { Origin: shop.url.origin, ...headers },
		...(body !== undefined && { body }),
	});
	await response.arrayBuffer();
	expect(response.status).toBeLessThan(500);
	return performance.now() - start;
}

/** Like `cost`, for a body in chunks of one byte. */
async function costOfChunks(path: string, chunks: number): Promise<number> {
	const headers: [string, string][] = [
		["Host", shop.url.host],
		["Connection", "close"],
		["Transfer-Encoding", "chunked"],
	];
	const body = `${"1\r\na\r\n".repeat(chunks)}0\r\n\r\n`;
	const start = performance.now();
	const answer = await sendRaw(shop.url, { method: "POST", target: path, headers, body, framing: "nothing" });
	expect(answer?.status).toBeGreaterThanOrEqual(400);
	return performance.now() - start;
}

/** Returns the least of ten costs. */
async function leastOfTen(measure: () => Promise<number>): Promise<number> {
	const costs: number[] = [];
	for (let time = 0; time < 10; time++) costs.push(await measure());
	return Math.min(...costs);
}

/** Asserts that a large request costs less than the budget in one of 30 attempts: other load on this machine may slow
 *  down all but one, but a request that is too expensive exceeds the budget each time. */
async function expectCheap(budget: number, measure: () => Promise<number>, what: string): Promise<void> {
	let least = Number.POSITIVE_INFINITY;
	for (let attempt = 0; attempt < 30 && least >= budget; attempt++) least = Math.min(least, await measure());
	expect(least, what).toBeLessThan(budget);
}

test.each([
	"/",
	"/stripe/webhook",
	"/stripe-emulator/v1/payment_intents",
	"/stripe-emulator/controls",
	"/stripe-emulator/nowhere",
])(`POST %s with 15,000 chunks costs less than ${maxRatio} times as much as with 15 chunks`, async (path) => {
	const budget = maxRatio * (await leastOfTen(() => costOfChunks(path, 15)));
	await expectCheap(budget, () => costOfChunks(path, 15_000), path);
});

test("an email of combining marks takes less than 20 times as long as a plain email", async () => {
	const post = (email: string): Sent => ({
		path: "/login",
		method: "POST",
		headers: form,
		// omits the password, which would be hashed
		body: new URLSearchParams({ email }).toString(),
	});
	const budget = maxRatio * (await leastOfTen(() => cost(post("a@b"))));
	const marks = `a${"\u0300".repeat(1300)}${"\u0334".repeat(1300)}`;
	await expectCheap(budget, () => cost(post(marks)), "an email of combining marks");
});

const shortened = (sent: Sent) =>
	JSON.stringify(sent, (_, value) =>
		typeof value === "string" && value.length > 60 ? `${value.slice(0, 40)}… (${value.length})` : value,
	);

test.each(plain.map((sent) => [`${sent.method} ${sent.path}`, sent] as const))(
	`each of ${numRuns} large requests to %s costs less than ${maxRatio} times as much as a plain one (SEED=${seed})`,
	async (_, sent) => {
		const budget = maxRatio * (await leastOfTen(() => cost(sent)));
		for (const large of fc.sample(enlarged(sent), { numRuns, seed })) {
			await expectCheap(budget, () => cost(large), shortened(large));
		}
	},
);
