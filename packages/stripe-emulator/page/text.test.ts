import { expect, test } from "vitest";
import { formatAmount } from "../objects/amount.ts";
import { html } from "./html.ts";
import { duration, time } from "./text.ts";

test("times are formatted in UTC, and amounts from the smallest unit of their currency", () => {
	expect(html`${time(1_770_127_509)}`.markup).toBe('<time datetime="2026-02-03T14:05:09.000Z">3 Feb, 14:05:09</time>');
	expect([formatAmount(109_498, "usd"), formatAmount(5, "usd"), formatAmount(500, "jpy")]).toEqual([
		...["$1,094.98", "$0.05", "¥500"],
	]);
});

test("durations list their units", () => {
	const seconds = [0, 59, 3600, 86_401, 2 * 86_400 + 3 * 3600 + 4 * 60 + 5];
	expect(seconds.map(duration)).toEqual(["0 s", "59 s", "1 h", "1 day 1 s", "2 days 3 h 4 min 5 s"]);
});
