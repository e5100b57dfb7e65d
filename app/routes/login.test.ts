import { beforeEach, expect, test, vi } from "vitest";
import { guestCookieName } from "#app/orders/owner.server.ts";
import { openRequest, rateLimits } from "../../tests/support/unit-request.ts";
import { action } from "./login.tsx";

beforeEach(() => void vi.spyOn(console, "info").mockReturnValue());

const token = "a".repeat(40);
const filled = { email: "Ada@Example.com", password: "correct horse battery" };

/** Submits the form with these fields. `counted` contains the keys that the rate limiters have counted. All calls to D1
 *  fail. */
function send(intent: string, limited?: "address" | "account", fields: Record<string, string> = filled) {
	const counted: string[] = [];
	const { args } = openRequest("/login", `${guestCookieName(token)}=${token}`, undefined, {
		rateLimits: rateLimits((key, per) => counted.push(key) > 0 && per !== limited),
	});
	const body = new URLSearchParams({ ...fields, intent });
	const request = new Request(args.url, { method: "POST", body, headers: { "CF-Connecting-IP": "10.0.0.1" } });
	return { counted, response: action({ ...args, request, pattern: "/login" }) };
}

test.each(["sign-in", "create-account"])(
	"%s from a rate-limited address returns 429 without checking the account's limit",
	async (intent) => {
		const { counted, response } = send(intent, "address");
		expect(await response).toMatchObject({
			data: { refusal: expect.stringContaining("Too many attempts"), email: "Ada@Example.com" },
			init: { status: 429, headers: { "Retry-After": "60" } },
		});
		expect(counted).toEqual(["/login 10.0.0.1"]);
	},
);

test.each<Record<string, string>>([
	{ email: "Ada@Example.com" },
	{ email: "" },
	{ password: "correct horse battery" },
	{},
])("an incomplete form, %o, is counted by address only, and keeps the email", async (fields) => {
	const { counted, response } = send("sign-in", undefined, fields);
	expect(await response).toMatchObject({ data: { email: fields["email"] ?? "" }, init: { status: 400 } });
	expect(counted).toEqual(["/login 10.0.0.1"]);
	const limited = await send("sign-in", "address", fields).response;
	expect(limited).toMatchObject({ data: { email: fields["email"] ?? "" }, init: { status: 429 } });
});

test.each(["sign-in", "create-account"])(
	"%s for a rate-limited account returns 429 before the database is queried",
	async (intent) => {
		const { counted, response } = send(intent, "account");
		expect(await response).toMatchObject({ init: { status: 429 } });
		expect(counted).toEqual(["/login 10.0.0.1", "ada@example.com"]);
	},
);
