import { expect, test } from "vitest";
import { html } from "./html.ts";
import { duration, milliseconds, time } from "./text.ts";

test("times are formatted in UTC", () => {
	expect(html`${time(1_770_127_509)}`.markup).toBe('<time datetime="2026-02-03T14:05:09.000Z">3 Feb, 14:05:09</time>');
});

test.each([
	[0, "0 s"],
	[59, "59 s"],
	[3600, "1 h"],
	[86_401, "1 day 1 s"],
	[2 * 86_400 + 3 * 3600 + 4 * 60 + 5, "2 days 3 h 4 min 5 s"],
])("duration formats %d seconds as %s", (seconds, written) => {
	expect(duration(seconds)).toBe(written);
});

test("response times are formatted in milliseconds or seconds", () => {
	expect([milliseconds(0), milliseconds(999), milliseconds(1540)]).toEqual(["0 ms", "999 ms", "1.5 s"]);
});
