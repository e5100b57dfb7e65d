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

test("get returns the value of a cookie, or null, and sends no Set-Cookie header", () => {
	const cookies = jar("__Host-session=abc; __Host-guest=def");
	expect(cookies.get("__Host-session")).toBe("abc");
	expect(cookies.get("__Host-guest")).toBe("def");
	expect(cookies.get("__Host-bookmark")).toBeNull();
	expect(cookies.get("__proto__")).toBeNull();
	expect(jar().get("__Host-session")).toBeNull();
	expect(sent(cookies)).toEqual([]);
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
