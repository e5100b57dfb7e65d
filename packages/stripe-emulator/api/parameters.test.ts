import { expect, test } from "vitest";
import { Parameters } from "./parameters.ts";

test("strings, groups and lists in the SDK's encoding are parsed", () => {
	const params = Parameters.parse("amount=500&metadata[shop]=a%20b&types[0]=card&types[1]=link&more[]=x&more[]=y");
	expect(params.integer("amount")).toBe(500);
	expect(params.group("metadata")?.text("shop")).toBe("a b");
	expect(params.list("types")).toEqual(["card", "link"]);
	expect(params.list("more")).toEqual(["x", "y"]);
	expect(params.text("nothing")).toBeUndefined();
	// the last value of a repeated parameter is used
	expect(Parameters.parse("amount=x&amount=500").integer("amount")).toBe(500);
});

test("errors in nested groups name the full path", () => {
	const card = Parameters.parse("data[card][number]=42&data[card][cvc]=").group("data")?.group("card");
	expect(card?.text("number")).toBe("42");
	expect(() => card?.text("cvc")).toThrow("You passed an empty string for 'data[card][cvc]'.");
	expect(() => card?.required("exp_month")).toThrow("Missing required param: data[card][exp_month].");
	expect(() => card?.only("number")).toThrow("Received unknown parameter: data[card][cvc]");
});

test.each(["19.99", " 500", "١٢", "9999999999999999"])("integer rejects %s", (value) => {
	const params = Parameters.parse(new URLSearchParams({ amount: value }).toString());
	expect(() => params.integer("amount")).toThrow(`Invalid integer: ${value}`);
});

test("an empty value unsets a clearable field and throws for any other field", () => {
	const params = Parameters.parse("description=&metadata=&address=&amount=&types[]=");
	expect(params.clearable("description")).toBeNull();
	expect(params.metadata("metadata")).toBeNull();
	expect(params.clearableGroup("address")).toBeNull();
	expect(() => params.integer("amount")).toThrow("You passed an empty string for 'amount'.");
	expect(() => params.list("types")).toThrow("You passed an empty string for 'types[0]'.");
});

test("metadata has up to 50 keys of up to 40 characters, and values of up to 500", () => {
	const metadata = (key: string, value: string) =>
		Parameters.parse(new URLSearchParams({ [`metadata[${key}]`]: value }).toString()).metadata("metadata");
	expect(metadata("k".repeat(40), "v".repeat(500))).toEqual(new Map([["k".repeat(40), "v".repeat(500)]]));
	expect(() => metadata("k".repeat(41), "v")).toThrow("up to 40 characters");
	expect(() => metadata("k", "v".repeat(501))).toThrow("up to 500 characters");
	const keys = Array.from({ length: 51 }, (_, index) => `metadata[${index}]=`).join("&");
	expect(() => Parameters.parse(keys).metadata("metadata")).toThrow("up to 50 keys");
});

test("parameters named after Object.prototype members are handled like any others", () => {
	expect(Parameters.parse("__proto__[x]=1&constructor=2").text("constructor")).toBe("2");
	expect(() => Parameters.parse("__proto__[x]=1").only("amount")).toThrow("Received unknown parameter: __proto__");
	expect(() => Parameters.parse("toString=1").only()).toThrow("Received unknown parameter: toString");
});

test.each(["a[=1", "a]=1", "a[b]c=1", "[a]=1", "=1", `a${"[b]".repeat(10)}=1`])(
	"parse rejects the parameter name in %s",
	(form) => {
		expect(() => Parameters.parse(form)).toThrow("Invalid parameter name");
	},
);

test("reading a group as a string, or a string as a group, throws", () => {
	expect(() => Parameters.parse("metadata=x").metadata("metadata")).toThrow("Invalid object");
	expect(() => Parameters.parse("amount[x]=1").integer("amount")).toThrow("Invalid string: amount");
	expect(() => Parameters.parse("a=1&a[b]=2").text("a")).toThrow("Invalid string: a");
});
