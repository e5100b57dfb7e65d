import { RouterContextProvider } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { passwordCost } from "#app/auth/password.server.ts";
import { CookieJar, cookiesContext } from "#app/http/cookies.server.ts";
import { servicesContext } from "#app/services.server.ts";
import { refuse, timeouts } from "../../tests/support/unit-request.ts";
import { action } from "./login.tsx";

beforeEach(() => void vi.spyOn(console, "info").mockReturnValue());

/** Submits the form with rate limiters that allow or reject requests by `address` and `account`. The context has no
 *  databases, so a request within the limits throws before any password is hashed. */
async function send(intent: string, { address, account }: { address: boolean; account: boolean }) {
	const asked: string[] = [];
	const counter = (success: boolean) => ({
		limit: async ({ key }: RateLimitOptions) => {
			asked.push(key);
			return { success };
		},
	});
	const context = new RouterContextProvider();
	context.set(servicesContext, {
		now: refuse,
		d1: { prepare: refuse, batch: refuse, exec: refuse, dump: refuse, withSession: refuse },
		stripe: { missing: [] },
		orderFeed: refuse,
		rateLimits: { address: counter(address), account: counter(account), order: counter(true) },
		timeouts,
		passwordCost,
	});
	const body = new URLSearchParams({ email: "Ada@Example.com", password: "correct horse battery", intent });
	const headers = { "CF-Connecting-IP": "10.0.0.1" };
	const url = new URL("https://shop.test/login");
	const request = new Request(url, { method: "POST", body, headers });
	context.set(cookiesContext, new CookieJar(request));
	return { asked, answer: action({ request, url, context, params: {}, pattern: "/login" }) };
}

test.each(["sign-in", "create-account"])(
	"%s from a rate-limited address returns 429 without checking the account's limit",
	async (intent) => {
		const { asked, answer } = await send(intent, { address: false, account: true });
		expect(await answer).toMatchObject({
			data: { refusal: expect.stringContaining("Too many attempts"), email: "Ada@Example.com" },
			init: { status: 429, headers: { "Retry-After": "60" } },
		});
		expect(asked).toEqual(["/login 10.0.0.1"]);
	},
);

test("sign-in to a rate-limited account returns 429 before the password is checked", async () => {
	const { asked, answer } = await send("sign-in", { address: true, account: false });
	expect(await answer).toMatchObject({ init: { status: 429, headers: { "Retry-After": "60" } } });
	expect(asked).toEqual(["/login 10.0.0.1", "ada@example.com"]);
});

test.each(["sign-in", "create-account"])("%s within the limits queries the database", async (intent) => {
	const { answer } = await send(intent, { address: true, account: intent === "sign-in" });
	await expect(answer).rejects.toThrow("No value found for context");
});
