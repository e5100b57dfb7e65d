import { expect, test } from "vitest";
import { Customer } from "../support/customer.ts";
import { dumpTables, read } from "../support/response.ts";
import { openShop } from "../support/shop.ts";
import { closeAfterAll } from "./hooks.ts";

// How the built Worker refuses forms. The unit tests of app/auth have the rules of emails, passwords and fields.

const shop = closeAfterAll(await openShop());

const password = "kq7!xz2v-never-echoed";

function form(...fields: [string, string | File][]) {
	return (intent: string): RequestInit => {
		const body = new FormData();
		for (const [name, value] of [...fields, ["intent", intent]] as const) body.append(name, value);
		return { body };
	};
}

/** Returns a request with exactly this body, which no browser would send. One character stands for each byte. */
function raw(body: string, type = "application/x-www-form-urlencoded") {
	return (intent: string): RequestInit => ({
		body: Buffer.from(body.replace("INTENT", intent), "latin1"),
		headers: { "Content-Type": type },
	});
}

const invalid = "Enter a valid email address.";

test.each<[string, (intent: string) => RequestInit, string, string?]>([
	["no fields", form(), "Enter your email and password.", ""],
	["only an email", form(["email", "a@b.c"]), "Enter your password.", "a@b.c"],
	[
		"an email that is HTML",
		form(["email", '"><script>alert(1)</script>'], ["password", password]),
		invalid,
		"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;",
	],
	["a lone surrogate in the email", raw(`email=a%ED%A0%80@b.c&password=${password}&intent=INTENT`), invalid],
	["raw invalid UTF-8 in the email", raw(`email=a\xff@b.c&password=${password}&intent=INTENT`), invalid],
	["a file as password", form(["email", "a@b.c"], ["password", new File([password], "p.txt")]), "Enter one email"],
	[
		"truncated multipart",
		raw("--x\r\nContent-Disposition: form", "multipart/form-data; boundary=x"),
		"The form could not be read.",
	],
])("POST /login with %s returns 400 with the reason, keeps the email and writes nothing", async (_, send, ...shown) => {
	const [refusal, kept] = shown;
	const before = await dumpTables(shop);
	for (const path of ["/login.data", "/login"]) {
		for (const intent of ["sign-in", "create-account"]) {
			const response = await new Customer(shop).fetch(path, { method: "POST", ...send(intent) });
			const page = await read(response);
			expect([path, intent, response.status]).toEqual([path, intent, 400]);
			expect(page).toContain(refusal);
			expect(page).not.toContain(password);
			expect(response.headers.getSetCookie()).toEqual([]);
			if (path === "/login.data") continue;
			expect(page).toMatch(/^<!DOCTYPE html>.*<form.*<p class="error" id="refusal">.*<\/form>/s);
			if (kept !== undefined) expect(/<input type="email"[^>]*? value="([^"]*)"/.exec(page)?.[1]).toBe(kept);
		}
	}
	expect(await dumpTables(shop)).toEqual(before);
});

test("Create account with a common password returns 400 with the reason and keeps only the email", async () => {
	const visitor = new Customer(shop);
	const before = await dumpTables(shop);
	const response = await visitor.createAccount("PASSWORD1");
	const page = await read(response);
	expect(response.status).toBe(400);
	expect(page).toContain("too common");
	expect(page).toContain(`value="${visitor.email}"`);
	expect(page).not.toContain("PASSWORD1");
	expect(await dumpTables(shop)).toEqual(before);
});

test("while D1 fails, POST /login without JavaScript returns the form with the email and an error", async () => {
	for (const [intent, call] of [
		["sign-in", "every"],
		["create-account", 2],
	] as const) {
		await shop.control({ control: "shop_fault", path: "/login", service: "d1", call, fault: "before" });
		const body = new URLSearchParams({ email: "ada@example.com", password, intent });
		const response = await new Customer(shop).fetch("/login", { method: "POST", body });
		const page = await response.text();
		expect([intent, call, response.status]).toEqual([intent, call, 503]);
		expect(page).toContain("We couldn&#x27;t sign you in. Please try again.");
		expect(/<input type="email"[^>]*? value="([^"]*)"/.exec(page)?.[1]).toBe("ada@example.com");
		expect(page).not.toContain(password);
		await shop.control({ control: "calm" });
	}
});
