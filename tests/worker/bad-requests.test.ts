import { expect, test } from "vitest";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { Customer } from "../support/customer.ts";
import { type RawRequest, sendRaw } from "../support/raw-request.ts";
import { dumpTables, read, readProblem } from "../support/response.ts";
import { ofOwnPage, upgrade } from "../support/socket.ts";
import { newCustomer, openFileShop } from "./setup.ts";

// guard.server.test.ts has the rules of every route; headers.test.ts and error-pages.test.ts have a request for each.

const shop = await openFileShop();

test.each<[string, Partial<RawRequest>, number, string]>([
	["a POST whose body stalls", { body: "{", framing: "length, stalls" }, 408, "body_too_slow"],
	["a POST whose body breaks off", { body: "{", framing: "length, breaks off" }, 400, "body_broken_off"],
	["a POST whose chunks break off", { body: "{", framing: "chunks, break off" }, 400, "body_broken_off"],
	["a GET whose body breaks off", { method: "GET", body: "x", framing: "chunks, break off" }, 400, "body_broken_off"],
])("%s is rejected, changes nothing and is not logged as an error", async (_, cut, status, code) => {
	const [before, logged] = [await dumpTables(shop), shop.logs().length];
	if (status === 408) await shop.control({ control: "timeouts", timeouts: { response: 300 } });
	const response = await sendRaw(shop.url, { method: "POST", target: "/payments/place", ...cut });
	await shop.control({ control: "calm" });
	expect([response.status, await readProblem(response)]).toEqual([status, code]);
	expect(await dumpTables(shop)).toEqual(before);
	expect(shop.logs().slice(logged)).not.toContain('"event":"error"');
});

test("a WebSocket upgrade of /orders/feed from another site returns 403, and without a valid session 401", async () => {
	const customer = await newCustomer(shop);
	const { Origin, ...own } = ofOwnPage(shop, customer);
	for (const [headers, status, code] of [
		[{ ...own, Origin: "https://evil.test" }, 403, "cross_origin"],
		[{ Origin }, 401, "sign_in_required"],
		[{ Origin, Cookie: `${sessionCookieName}=forged` }, 401, "sign_in_required"],
	] as const) {
		const response = await upgrade(shop, headers);
		expect([response.status, await readProblem(response)]).toEqual([status, code]);
	}
});

test("sources, configuration and other files of the build return 404", async () => {
	for (const path of [
		...["/.env", "/.dev.vars", "/.dev.vars.example", "/wrangler.toml", "/wrangler.json", "/package.json"],
		...["/.git/config", "/.git/HEAD", "/_headers", "/index.js", "/index.js.map", "/server/index.js"],
		...["/migrations/0000_tables.sql", "/app/auth/common-passwords.txt"],
	]) {
		const response = await new Customer(shop).fetch(path);
		await read(response);
		expect([path, response.status]).toEqual([path, 404]);
	}
});

test("headers of intermediaries change neither a page nor the redirect after sign-out", async () => {
	const headers = {
		...{ "X-Forwarded-Host": "evil.test", "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "ftp" },
		...{ Forwarded: "for=203.0.113.7;host=evil.test;proto=ftp", "X-HTTP-Method-Override": "DELETE" },
		...{ "X-Original-URL": "/nowhere", "X-Rewrite-URL": "/nowhere" },
	};
	const visitor = new Customer(shop);
	const response = await visitor.fetch("/orders", { headers });
	const page = await read(response);
	expect(response.status).toBe(200);
	expect(page).toContain(`"canonical" href="${shop.url.origin}/orders"`);
	expect(page + JSON.stringify([...response.headers])).not.toMatch(/evil\.test|ftp:|nowhere/);
	const redirect = await visitor.fetch("/logout", { method: "POST", headers });
	expect([redirect.status, redirect.headers.get("Location")]).toEqual([302, "/"]);
});

// How /login refuses forms. The unit tests of app/auth have the rules of emails, passwords and fields.

const password = "kq7!xz2v-never-echoed";

function form(email: string, typed: string | File): RequestInit {
	const body = new FormData();
	for (const [name, value] of Object.entries({ email, password: typed, intent: "create-account" })) {
		body.append(name, value);
	}
	return { body };
}

/** Returns a request with exactly this body, which no browser would send. One character stands for each byte. */
const raw = (body: string, type: string): RequestInit => ({
	body: Buffer.from(body, "latin1"),
	headers: { "Content-Type": type },
});

const [urlencoded, multipart] = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];
const escaped = "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;";

test.each<[string, RequestInit, string, string?]>([
	["no fields", form("", ""), "Enter your email and password.", ""],
	["only an email", form("a@b.c", ""), "Enter your password.", "a@b.c"],
	["HTML as email", form('"><script>alert(1)</script>', password), "Enter a valid email address.", escaped],
	["invalid UTF-8", raw(`email=a\xff@b.c&password=${password}`, urlencoded), "Enter a valid email address."],
	["a common password", form("a@b.c", "PASSWORD1"), "too common", "a@b.c"],
	["a file as password", form("a@b.c", new File([password], "p.txt")), "Enter one email"],
	["truncated multipart", raw("--x\r\nContent-Disposition: form", multipart), "The form could not be read."],
])("POST /login with %s returns 400 with the reason, keeps the email and writes nothing", async (_, sent, ...shown) => {
	const [refusal, kept] = shown;
	const before = await dumpTables(shop);
	for (const path of ["/login.data", "/login"]) {
		const response = await new Customer(shop).fetch(path, { method: "POST", ...sent });
		const page = await read(response);
		expect([path, response.status]).toEqual([path, 400]);
		expect(page).toContain(refusal);
		expect(page).not.toContain(password);
		expect(response.headers.getSetCookie()).toEqual([]);
		if (path === "/login.data") continue;
		expect(page).toMatch(/^<!DOCTYPE html>.*<form.*<p class="error" id="refusal">.*<\/form>/s);
		if (kept !== undefined) expect(/<input type="email"[^>]*? value="([^"]*)"/.exec(page)?.[1]).toBe(kept);
	}
	expect(await dumpTables(shop)).toEqual(before);
});

test("while D1 fails, POST /login without JavaScript returns the form with the email and an error", async () => {
	for (const intent of ["sign-in", "create-account"]) {
		await shop.control({ control: "shop_fault", path: "/login", service: "d1", call: "every", fault: "before" });
		const body = new URLSearchParams({ email: "ada@example.com", password, intent });
		const response = await new Customer(shop).fetch("/login", { method: "POST", body });
		const page = await response.text();
		expect([intent, response.status]).toEqual([intent, 503]);
		expect(page).toContain("We couldn&#x27;t sign you in. Please try again.");
		expect(/<input type="email"[^>]*? value="([^"]*)"/.exec(page)?.[1]).toBe("ada@example.com");
		expect(page).not.toContain(password);
		await shop.control({ control: "calm" });
	}
});
