import { expect, test } from "vitest";
import { nextSlice } from "./events.server.ts";

const newest = 10_000;

test.each([
	["with more than 1,000 events is read again in halves", { from: 100, end: 201 }, 1001, { from: 100, end: 150 }],
	["of one second is not halved", { from: 100, end: 101 }, 5000, { from: 101, end: 102 }],
	["with more than 500 events is followed by one as long", { from: 100, end: 200 }, 501, { from: 200, end: 300 }],
	["with 500 events is followed by one twice as long", { from: 100, end: 200 }, 500, { from: 200, end: 400 }],
	["is never followed by one that ends later than now", { from: 100, end: 9999 }, 0, { from: 9999, end: newest }],
	["that ends now is the last", { from: 100, end: newest }, 1000, null],
	["that ends now is halved, too", { from: 9000, end: newest }, 1001, { from: 9000, end: 9500 }],
])("a slice of events %s", (_, slice, events, next) => {
	expect(nextSlice(slice, events, newest)).toEqual(next);
});
