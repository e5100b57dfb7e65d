import { afterAll, beforeAll, expect, test } from "vitest";
import { book } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { dumpTables, read, readProblem } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());

const password = "kq7!xz2v-never-echoed";
const intents = ["sign-in", "create-account"];

/** Submits to /login with both intents, as a document request and as a `.data` request. Asserts the status, and that
 *  nothing is written, no cookie is set and the password is not echoed. Returns the document. */
async function refused(send: (intent: string) => RequestInit, status: number): Promise<string> {
	const before = await dumpTables(shop);
	let shown = "";
	for (const [index, path] of ["/login.data", "/login"].entries()) {
		for (const intent of intents) {
			const response = await new Customer(shop).fetch(path, { method: "POST", ...send(intent) });
			shown = await read(response);
			expect(response.status, `${path} ${intent}`).toBe(status);
			expect(shown).not.toContain(password);
			expect(response.headers.getSetCookie()).toEqual([]);
			if (index === 1) expect(shown).toMatch(/^<!DOCTYPE html>.*<form.*<\/form>/s);
		}
	}
	expect(await dumpTables(shop)).toEqual(before);
	return shown;
}

function form(...fields: [string, string | File][]) {
	return (intent: string): RequestInit => {
		const body = new FormData();
		for (const [name, value] of [...fields, ["intent", intent]] as const) body.append(name, value);
		return { body };
	};
}

/** Returns a request with exactly this body, which no browser would send. */
function raw(body: string | Uint8Array<ArrayBuffer>, type = "application/x-www-form-urlencoded") {
	return (): RequestInit => ({ body, headers: type ? { "Content-Type": type } : {} });
}

const typedEmail = (page: string) => /<input type="email"[^>]*? value="([^"]*)"/.exec(page)?.[1];

test.each([
	["no fields", form(), "Enter your email and password.", ""],
	["two empty fields", form(["email", ""], ["password", ""]), "Enter your email and password.", ""],
	["a blank email", form(["email", " \t"], ["password", password]), "Enter your email.", " \t"],
	["only an email", form(["email", "a@b.c"]), "Enter your password.", "a@b.c"],
	["only a password", form(["password", password]), "Enter your email.", ""],
])("POST /login with %s returns 400 and names the missing field", async (_, send, refusal, kept) => {
	const page = await refused(send, 400);
	expect(page).toContain(`<p class="error" id="refusal">${refusal}</p>`);
	expect(typedEmail(page)).toBe(kept);
});

test.each([
	["without @", "abc", "abc"],
	["without a host", "a@", "a@"],
	["without a local part", "@b", "@b"],
	["with a space", "a b@c.d", "a b@c.d"],
	["that is SQL", "' OR 1=1--", "&#x27; OR 1=1--"],
	["that is SQL with an @", "'; drop table users;--@b.c", "&#x27;; drop table users;--@b.c"],
	["that is HTML", '"><script>alert(1)</script>', "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"],
	["of 255 characters", "a".repeat(251).concat("@b.c"), "a".repeat(251).concat("@b.c")],
])("POST /login with an email %s returns 400 and keeps the input", async (_, email, kept) => {
	const page = await refused(form(["email", email], ["password", password]), 400);
	expect(page).toContain("Enter a valid email address.");
	expect(typedEmail(page)).toBe(kept);
});

const encode = (text: string) => new TextEncoder().encode(text);

test.each([
	["a NUL", "email=a%00@b.c"],
	["a tab", "email=%09a@b.c"],
	["a line break", "email=a@b.c%0D%0A"],
	["a right-to-left override", "email=a%E2%80%AE@b.c"],
	["a variation selector", "email=a%EF%B8%8F@b.c"],
	["a Hangul filler", "email=a%E3%85%A4@b.c"],
	["a lone surrogate", "email=a%ED%A0%80@b.c"],
	["percent-encoded invalid UTF-8", "email=a%FF@b.c"],
	["raw invalid UTF-8", new Uint8Array([...encode("email=a"), 0xff, ...encode("@b.c")])],
])("POST /login with an email that contains %s returns 400", async (_, email) => {
	const start = typeof email === "string" ? encode(email) : email;
	for (const intent of intents) {
		const rest = encode(`&password=${password}&intent=${intent}`);
		expect(await refused(raw(new Uint8Array([...start, ...rest])), 400)).toContain("Enter a valid email address.");
	}
});

test("POST /login with a malformed email runs no query", async () => {
	await shop.control({ control: "shop_fault", path: "/login", service: "d1", call: "every", fault: "before" });
	const never = [...["abc", "a@", "@b", "a b@c.d", "' OR 1=1--", "a@b@c"], `${"a".repeat(251)}@b.c`];
	const invisible = ["a\0@b.c", "\ta@b.c", "a@b.c\r\n", "a\u202e@b.c", "a\ufffd@b.c", "a\u200b@b.c", "a\u0085@b.c"];
	for (const email of [...never, ...invisible]) {
		for (const intent of intents) {
			const response = await new Customer(shop).submit("/login", { email, password, intent });
			expect([email, response.status]).toEqual([email, 400]);
		}
	}
	// the fault is still pending, so no query has run; the query for a valid email triggers it
	expect((await shop.emulator()).shopFaults).toHaveLength(1);
	expect((await new Customer(shop).signIn()).status).toBeGreaterThanOrEqual(500);
	expect((await shop.emulator()).shopFaults).toHaveLength(0);
});

test.each([
	["7 characters", "kq7!xz2", "at least 8 characters"],
	["129 characters", "kq7!xz2v".repeat(16).concat("x"), "at most 128 characters"],
	["a common password", "password", "too common"],
	["a common password in upper case", "PASSWORD1", "too common"],
	["descending digits", "87654321", "too common"],
	["a repeated word", "duckduckduck", "too simple"],
	["the shop's name", "half dozen", "too easy to guess"],
])("Create account with %s as the password returns 400 with the reason", async (_, password, reason) => {
	const { email } = new Customer(shop);
	const before = await dumpTables(shop);
	const response = await new Customer(shop).submit("/login", { email, password, intent: "create-account" });
	const page = await read(response);
	expect(response.status).toBe(400);
	expect(page).toContain(reason);
	expect(typedEmail(page)).toBe(email);
	expect(page).not.toContain(`value="${password}`);
	expect(await dumpTables(shop)).toEqual(before);
});

test("Create account with the email as the password returns 400 with the reason", async () => {
	const { email } = new Customer(shop);
	const response = await new Customer(shop).submit("/login", { email, password: email, intent: "create-account" });
	expect(response.status).toBe(400);
	expect(await read(response)).toContain("This password is the same as your email");
});

const file = new File(["a@b.c"], "email.txt");

test.each([
	["two emails", form(["email", "a@b.c"], ["email", "x@y.z"], ["password", password])],
	["two passwords", form(["email", "a@b.c"], ["password", password], ["password", password])],
	["a file named email", form(["email", file], ["password", password])],
	["a file named password", form(["email", "a@b.c"], ["password", new File([password], "p.txt")])],
])("POST /login with %s returns 400", async (_, send) => {
	expect(await refused(send, 400)).toContain("Enter one email and one password.");
});

test.each<[string, () => RequestInit]>([
	["multipart without a boundary", raw("--x\r\n\r\n", "multipart/form-data")],
	["multipart with the wrong boundary", raw("--y\r\nemail\r\n--y--", "multipart/form-data; boundary=x")],
	["truncated multipart", raw("--x\r\nContent-Disposition: form-data; name=", "multipart/form-data; boundary=x")],
])("POST /login with %s returns 400", async (_, send) => {
	expect(await refused(send, 400)).toContain("The form could not be read.");
});

test.each<[string, () => RequestInit]>([
	["JSON", raw(JSON.stringify({ email: "a@b.c", password }), "application/json")],
	["plain text", raw(`email=a@b.c&password=${password}`, "text/plain")],
	["no Content-Type", raw(encode(`email=a@b.c&password=${password}`), "")],
	["a Content-Type that only starts like a form's", raw("email=a@b.c", "application/x-www-form-urlencodedish")],
	["no body", () => ({})],
])("POST /login with %s instead of a form returns 415", async (_, send) => {
	const before = await dumpTables(shop);
	for (const path of ["/login", "/login.data"]) {
		const response = await new Customer(shop).fetch(path, { method: "POST", ...send() });
		expect([response.status, await readProblem(response)]).toEqual([415, "wrong_content_type"]);
	}
	expect(await dumpTables(shop)).toEqual(before);
});

/** Returns a request with a streamed body, which has no Content-Length. */
function streamed(bytes: number): RequestInit & { duplex: "half" } {
	let left = bytes;
	const body = new ReadableStream<Uint8Array>({
		pull(controller) {
			if (left <= 0) return controller.close();
			controller.enqueue(new Uint8Array(Math.min(left, 16_384)).fill(97));
			left -= 16_384;
		},
	});
	return { body, duplex: "half", headers: { "Content-Type": "application/x-www-form-urlencoded" } };
}

test.each([
	"/login",
	"/login.data",
	"/logout",
	"/payments/place",
	"/payments/fulfill",
	`/payments/create?total=${book.priceCents}`,
])("POST %s with a body of 65 KiB or 5 MB returns 413, with or without Content-Length", async (path) => {
	const before = await dumpTables(shop);
	for (const size of [65 * 1024, 5_000_000]) {
		for (const init of [{ body: new Uint8Array(size).fill(97) }, streamed(size)]) {
			const response = await new Customer(shop).fetch(path, { method: "POST", ...init });
			await read(response);
			expect(response.status).toBe(413);
		}
	}
	expect(await dumpTables(shop)).toEqual(before);
});
