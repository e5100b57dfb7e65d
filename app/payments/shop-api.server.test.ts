import { expect, test } from "vitest";
import { fulfillShape, paymentError, placeShape } from "./shop-api.server.ts";

const clientSecret = "pi_Az09_secret_Az09";
const place = { clientSecret, signature: "s", productIds: ["1"], customer: "ada" };
const ids = (count: number) => Array.from({ length: count }, () => "1");

test.each([
	["the shortest texts", {}],
	["the longest client secret", { clientSecret: clientSecret.padEnd(200, "9") }],
	["the longest texts", { signature: "s".repeat(100), productIds: ["1".repeat(40)], customer: "a".repeat(40) }],
	["the most products", { productIds: ids(200) }],
	["no customer", { customer: null }],
])("a place request with %s is valid", (_, more) => {
	expect(placeShape.parse({ ...place, ...more })).toMatchObject({ ...place, ...more });
});

const malformed = [
	...["pi_1", "pi__secret_1", "pi_1_secret_", "/pi_1_secret_1", "pi_1_secret_1/", "pi_/_secret_1", "pi_1_secret_/"],
	...[clientSecret.padEnd(201, "9"), 1],
];
test.each<[string, object]>([
	...malformed.map((value) => [`the client secret ${value}`, { clientSecret: value }] satisfies [string, object]),
	["a signature of 101 characters", { signature: "s".repeat(101) }],
	["no product", { productIds: [] }],
	["201 products", { productIds: ids(201) }],
	["a product id of 41 characters", { productIds: ["1".repeat(41)] }],
	["a missing customer", { customer: undefined }],
	["a customer id of 41 characters", { customer: "a".repeat(41) }],
])("a place request with %s is invalid", (_, more) => {
	expect(placeShape.safeParse({ ...place, ...more }).success).toBe(false);
});

test("a signature is optional and empty by default, and a fulfill request has an optional cancel flag", () => {
	const { signature: _, ...required } = place;
	expect(placeShape.parse(required)).toMatchObject({ ...required, signature: "" });
	expect(fulfillShape.parse({ clientSecret })).toEqual({ clientSecret, signature: "" });
	const full = { clientSecret, signature: "s", cancel: true };
	expect(fulfillShape.parse(full)).toEqual(full);
	for (const invalid of [{ clientSecret: "pi_1" }, { signature: "s".repeat(101) }, { cancel: "yes" }]) {
		expect(fulfillShape.safeParse({ ...full, ...invalid }).success).toBe(false);
	}
});

test("paymentError returns the error's status, code, message and details as JSON", async () => {
	const response = paymentError("price_changed", { prices: { 1: 50 } });
	expect(response.status).toBe(409);
	const error = { code: "price_changed", message: "A price has changed." };
	expect(await response.json()).toEqual({ error, prices: { 1: 50 } });
});
