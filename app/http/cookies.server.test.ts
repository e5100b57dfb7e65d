import { expect, test } from "vitest";
import { openCookies, setCookies } from "../../tests/support/unit-request.ts";
import type { CookieJar } from "./cookies.server.ts";

/** Returns the parts of each Set-Cookie, sorted because their order does not matter. */
const sent = (cookies: CookieJar) => setCookies(cookies).map((cookie) => cookie.split("; ").toSorted());

test("get returns the value of a cookie, or null, and sends no Set-Cookie header", () => {
	const cookies = openCookies("__Host-a=abc; __Host-b=def");
	expect(cookies.get("__Host-a")).toBe("abc");
	expect(cookies.get("__Host-b")).toBe("def");
	expect(cookies.get("__Host-c")).toBeNull();
	expect(cookies.get("__proto__")).toBeNull();
	expect(openCookies().get("__Host-a")).toBeNull();
	expect(sent(cookies)).toEqual([]);
});

test("values returns the values of the cookies with a prefix, in the order sent", () => {
	const cookies = openCookies("__Host-a-2=first; __Host-b=other; __Host-a-1=second; __Host-a-3=");
	expect(cookies.values("__Host-a-")).toEqual(["first", "second", ""]);
	expect(cookies.values("__Host-c")).toEqual([]);
});

test("set sends a host-only cookie with Secure, HttpOnly and SameSite=Lax", () => {
	const cookies = openCookies();
	cookies.set("__Host-a", "abc", 2592000);
	expect(sent(cookies)).toEqual([["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax", "Secure", "__Host-a=abc"]]);
});

test("forget sends an empty cookie with Max-Age=0", () => {
	const cookies = openCookies("__Host-a=abc");
	cookies.forget("__Host-a");
	expect(sent(cookies)).toEqual([["HttpOnly", "Max-Age=0", "Path=/", "SameSite=Lax", "Secure", "__Host-a="]]);
});

test("only the last change to each cookie is sent", () => {
	const cookies = openCookies("__Host-a=old");
	cookies.forget("__Host-a");
	cookies.set("__Host-a", "new", 60);
	cookies.set("__Host-b", "g", 60);
	expect(sent(cookies).map((parts) => parts.at(-1))).toEqual(["__Host-a=new", "__Host-b=g"]);
});

test("areKept returns whether the browser has sent a cookie of the shop", () => {
	const requests = [undefined, "other=1", "__Host-c=1", "other=1; __Host-kept=1"];
	expect(requests.map((cookie) => openCookies(cookie).areKept)).toEqual([false, false, true, true]);
});

test("findOutIfKept sets a cookie that the browser does not have", () => {
	const set = [undefined, "__Host-c=1", "__Host-kept=1"].map((cookie) => {
		const cookies = openCookies(cookie);
		cookies.findOutIfKept();
		return sent(cookies).map((parts) => parts.at(-1));
	});
	expect(set).toEqual([["__Host-kept=1"], ["__Host-kept=1"], []]);
});
