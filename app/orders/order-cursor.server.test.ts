import { expect, test } from "vitest";
import { readCursor, writeCursor } from "./order-cursor.server.ts";

const read = (search: string) => readCursor(new URL(`https://shop.test/orders${search}`));

test("a cursor in a URL contains the order's time and id", () => {
	expect(writeCursor({ created: 1_763_650_000, id: "pi_123" })).toBe("1763650000-pi_123");
	expect(read("?before=1763650000-pi_123")).toEqual({ created: 1_763_650_000, id: "pi_123" });
});

test.each(["0-pi_1", "9999999999-pi_azAZ09", `1-pi_${"a".repeat(100)}`])("%s is a valid cursor", (cursor) => {
	const parsed = read(`?before=${cursor}`);
	expect(parsed && writeCursor(parsed)).toBe(cursor);
});

test("the first of two cursors is used", () => {
	expect(read("?before=1-pi_1&before=2-pi_2")).toEqual({ created: 1, id: "pi_1" });
});

test.each([
	["a missing cursor", ""],
	["an empty cursor", "?before="],
	["another parameter", "?after=1-pi_1"],
	["a cursor without a time", "?before=-pi_1"],
	["a time with 11 digits", "?before=12345678901-pi_1"],
	["a time with a letter", "?before=1x-pi_1"],
	["a negative time", "?before=-1-pi_1"],
	["a cursor without an id", "?before=1-pi_"],
	["the id of another object", "?before=1-ch_1"],
	["an id with 101 characters", `?before=1-pi_${"a".repeat(101)}`],
	["an id with a quote", "?before=1-pi_1'"],
])("%s returns the newest page", (_, search) => {
	expect(read(search)).toBeNull();
});
