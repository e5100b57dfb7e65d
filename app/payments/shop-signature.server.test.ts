import { expect, test } from "vitest";
import { currency } from "#app/brand.ts";
import { stripe } from "../../tests/support/unit-request.ts";
import { readSignature, sameText, sign } from "./shop-signature.server.ts";

const clientSecret = "pi_1_secret_1";
const signed = { amount: 1196, created: 1_763_650_000, currency };
const signature = sign(stripe, clientSecret, signed);
const hash = signature.slice("1196-1763650000-".length);
const otherKey = { ...stripe, signingKey: "sk_test_2" };
const otherShop = { ...stripe, shopId: "another" };

test("sign returns the amount, the creation time and a fixed HMAC", () => {
	const signature = sign(stripe, clientSecret, { ...signed, currency: "usd" });
	expect(signature).toBe("1196-1763650000-pVXZu9-tkZP9cfczo2QkDlP_2SdB9xUd3PQ4WmDU_nU");
});

test("readSignature returns the signed fields", () => {
	for (const fields of [signed, { amount: 99_999_999, created: 9_999_999_999, currency }]) {
		expect(readSignature(stripe, clientSecret, sign(stripe, clientSecret, fields))).toEqual(fields);
	}
});

test.each([
	["another amount", `1197-1763650000-${hash}`],
	["another hash", `1196-1763650000-${hash.slice(1)}A`],
	["more text after the hash", `${signature}A`],
	["a leading zero", `0${signature}`],
	["a leading space", ` ${signature}`],
	["the signature of another client secret", sign(stripe, "pi_2_secret_1", signed)],
	["a signature with another key", sign(otherKey, clientSecret, signed)],
	["another shop's signature", sign(otherShop, clientSecret, signed)],
	["the signature of another currency", sign(stripe, clientSecret, { ...signed, currency: "xts" })],
	["an amount of 9 digits", sign(stripe, clientSecret, { ...signed, amount: 100_000_000 })],
	["a creation time of 11 digits", sign(stripe, clientSecret, { ...signed, created: 10_000_000_000 })],
	["no text", ""],
])("readSignature rejects %s", (_, text) => {
	expect(readSignature(stripe, clientSecret, text)).toBeNull();
});

test.each([
	["secret", "secret", true],
	["secret", "secreT", false],
	["secret", "secret1", false],
	["é", "e", false],
])("sameText compares %j with %j and returns %s", (a, b, same) => {
	expect(sameText(a, b)).toBe(same);
});
