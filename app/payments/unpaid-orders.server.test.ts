import { expect, test } from "vitest";
import { pollInterval } from "./unpaid-orders.server.ts";

test.each([
	["after a minute at least", 10, 60],
	["after three times its age", 200, 600],
	["when it is canceled, at the latest", 3000, 600],
	["a minute after a cancellation that failed at once", 3600, 60],
	["after the time since it should have been canceled", 3600 + 500, 500],
	["once a day at least", 30 * 24 * 3600, 24 * 3600],
])("a placed order is polled again %s", (_, age, interval) => {
	expect(pollInterval(age)).toBe(interval);
});
