import { expect, test } from "vitest";
import { missingKeys, stripeKeyNames } from "./stripe-config.server.ts";

const keys = {
	STRIPE_SECRET_KEY: "sk_test_ofthisshop",
	STRIPE_PUBLISHABLE_KEY: "pk_test_ofthisshop",
	STRIPE_WEBHOOK_SECRET: "whsec_ofthisshop",
};

test("with three keys, none is missing; without keys, all are", () => {
	expect([missingKeys(keys), missingKeys({})]).toEqual([[], stripeKeyNames]);
});

test.each(stripeKeyNames)("with only %s, or if it is empty, the others or it are missing", (name) => {
	expect(missingKeys({ [name]: keys[name] })).toEqual(stripeKeyNames.filter((other) => other !== name));
	expect(missingKeys({ ...keys, [name]: "" })).toEqual([name]);
});
