import { expect, test } from "vitest";
import { missingVariables, stripeKeyNames } from "./stripe-account.server.ts";

const keys = {
	STRIPE_SECRET_KEY: "sk_test_ofthisshop",
	STRIPE_PUBLISHABLE_KEY: "pk_test_ofthisshop",
	STRIPE_WEBHOOK_SECRET: "whsec_ofthisshop",
};
const base = "http://127.0.0.1:12111";

test.each([
	["no STRIPE_API_BASE", {}],
	["an empty STRIPE_API_BASE", { STRIPE_API_BASE: "" }],
	["a STRIPE_API_BASE", { STRIPE_API_BASE: base }],
	["a STRIPE_API_BASE that ends with a slash", { STRIPE_API_BASE: `${base}/` }],
])("with three keys and %s, no variable is missing", (_, more) => {
	expect(missingVariables({ ...keys, ...more })).toEqual([]);
});

test.each([
	["not a URL", "127.0.0.1:12111"],
	["blank", " "],
	["not HTTP", "ftp://127.0.0.1"],
	["a URL with a path", `${base}/v1`],
	["a URL with a password", "http://ada:hunter2@127.0.0.1:12111"],
])("a STRIPE_API_BASE that is %s is invalid", (_, STRIPE_API_BASE) => {
	expect(missingVariables({ ...keys, STRIPE_API_BASE })).toEqual(["STRIPE_API_BASE to an http(s) URL without a path"]);
});

test.each(["sk_live_ofthisshop", "rk_test_ofthisshop"])(
	"the key %s is invalid with a STRIPE_API_BASE",
	(STRIPE_SECRET_KEY) => {
		expect(missingVariables({ ...keys, STRIPE_SECRET_KEY, STRIPE_API_BASE: base })).toEqual([
			"STRIPE_SECRET_KEY to an sk_test_ key, the only kind that goes with STRIPE_API_BASE",
		]);
	},
);

test.each([base, "no URL"])(
	"without keys, STRIPE_API_BASE=%s is ignored, and the keys are missing",
	(STRIPE_API_BASE) => {
		expect(missingVariables({ STRIPE_API_BASE })).toEqual(stripeKeyNames);
	},
);

test.each(stripeKeyNames)("with only %s and an invalid STRIPE_API_BASE, the two other keys are missing", (name) => {
	const others = stripeKeyNames.filter((other) => other !== name);
	expect(missingVariables({ [name]: keys[name], STRIPE_API_BASE: "no URL" })).toEqual(others);
});
