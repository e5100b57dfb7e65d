import fc from "fast-check";
import { expect, test } from "vitest";
import { CookieJar } from "./cookies.server.ts";

function jar(cookie?: string): CookieJar {
	return new CookieJar(new Request("https://shop.test/", { headers: cookie === undefined ? {} : { Cookie: cookie } }));
}

/** Returns the parts of each Set-Cookie, sorted because their order does not matter. */
function sent(cookies: CookieJar): string[][] {
	const headers = new Headers();
	cookies.appendTo(headers);
	return headers.getSetCookie().map((cookie) => cookie.split("; ").toSorted());
}

test("get returns the value of a cookie, or null if the cookie is missing", () => {
	const cookies = jar("__Host-session=abc; __Host-guest=def");
	expect(cookies.get("__Host-session")).toBe("abc");
	expect(cookies.get("__Host-guest")).toBe("def");
	expect(cookies.get("__Host-bookmark")).toBeNull();
	expect(jar().get("__Host-session")).toBeNull();
});

test("set sends a host-only cookie with Secure, HttpOnly and SameSite=Lax", () => {
	const cookies = jar();
	cookies.set("__Host-session", "abc", 2592000);
	expect(sent(cookies)).toEqual([
		["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax", "Secure", "__Host-session=abc"],
	]);
});

test("forget sends an empty cookie with Max-Age=0", () => {
	const cookies = jar("__Host-session=abc");
	cookies.forget("__Host-session");
	expect(sent(cookies)).toEqual([["HttpOnly", "Max-Age=0", "Path=/", "SameSite=Lax", "Secure", "__Host-session="]]);
});

test("only the last change to each cookie is sent", () => {
	const cookies = jar("__Host-session=old");
	cookies.forget("__Host-session");
	cookies.set("__Host-session", "new", 60);
	cookies.set("__Host-guest", "g", 60);
	expect(sent(cookies).map((parts) => parts.at(-1))).toEqual(["__Host-session=new", "__Host-guest=g"]);
});

test("reading a cookie adds no Set-Cookie header", () => {
	const cookies = jar("__Host-session=abc");
	cookies.get("__Host-session");
	expect(sent(cookies)).toEqual([]);
});

test("get returns null for property names of Object.prototype", () => {
	for (const name of ["__proto__", "constructor", "toString"]) expect(jar("a=b").get(name)).toBeNull();
});

test("get returns any value exactly as it was set", () => {
	fc.assert(
		fc.property(fc.string({ unit: "grapheme" }), (value) => {
			const cookies = jar();
			cookies.set("__Host-a", value, 60);
			const headers = new Headers();
			cookies.appendTo(headers);
			const [pair = ""] = headers.getSetCookie()[0]?.split("; ") ?? [];
			expect(jar(pair).get("__Host-a")).toBe(value);
		}),
	);
});

test("get parses any Cookie header without throwing", () => {
	const bytes = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) });
	fc.assert(
		fc.property(
			fc.oneof(bytes, fc.constantFrom("=;=;;", "%", "__Host-session=%E0%A4", "a=b".repeat(4000))),
			(header) => {
				const value = jar(header).get("__Host-session");
				expect(value === null || typeof value === "string").toBe(true);
			},
		),
	);
});
