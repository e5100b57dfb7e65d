import { expect, test } from "vitest";
import { defaultKeys, PUBLISHABLE_KEY, SECRET_KEY } from "../keys.ts";
import { callerOf, headerKey } from "./access.ts";
import { Parameters } from "./parameters.ts";

test.each([
	["Bearer sk_1", "sk_1"],
	["bearer sk_1", "sk_1"],
	[`Basic ${btoa("sk_1:")}`, "sk_1"],
	[`basic ${btoa("sk_1")}`, "sk_1"],
	["", undefined],
	["Bearer", undefined],
	["sk_1", undefined],
	["Basic sk_1", undefined],
	[`Basic ${btoa(":sk_1")}`, undefined],
])("the Authorization header %j contains the key %j", (Authorization, key) => {
	expect(headerKey(new Request("http://localhost/", { headers: { Authorization } }))).toBe(key);
});

test("the publishable key is accepted anywhere, and the secret key only in the header", () => {
	const callerWith = (inHeader: string | undefined, form = "") =>
		callerOf(inHeader, Parameters.parse(form), defaultKeys);
	expect(callerWith(SECRET_KEY)).toBe("server");
	expect(callerWith(PUBLISHABLE_KEY)).toBe("browser");
	expect(callerWith(undefined, `key=${PUBLISHABLE_KEY}`)).toBe("browser");
	expect(() => callerWith(undefined)).toThrow("You did not provide an API key");
	expect(() => callerWith(undefined, `key=${SECRET_KEY}`)).toThrow("Invalid API Key provided: sk_test_********");
	expect(() => callerWith("sk_live_notmine_0123456789")).toThrow("Invalid API Key provided: sk_live_********6789");
});
