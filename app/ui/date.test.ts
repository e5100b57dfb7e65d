import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { formatOrderDate, requestTimeZone } from "./date.server.ts";
import { formatLocally } from "./date.tsx";

const seconds = (iso: string) => Date.parse(iso) / 1000;

test.each("1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 31st".split(" "))("a day is formatted as %s", (day) => {
	const date = `2026-12-${String(Number.parseInt(day, 10)).padStart(2, "0")}`;
	expect(formatOrderDate(seconds(`${date}T16:31:00Z`), "UTC")).toBe(`December ${day} 2026, 4:31pm`);
});

test.each([
	["00:00", "12:00am"],
	["01:05", "1:05am"],
	["12:00", "12:00pm"],
	["23:59", "11:59pm"],
])("%s is formatted as %s", (time, text) => {
	expect(formatOrderDate(seconds(`2026-07-04T${time}:00Z`), "UTC")).toBe(`July 4th 2026, ${text}`);
});

test("the same time is formatted differently in each time zone", () => {
	const at = seconds("2026-12-31T12:00:00Z");
	expect(formatOrderDate(at, "America/New_York")).toBe("December 31st 2026, 7:00am");
	expect(formatOrderDate(at, "Asia/Kathmandu")).toBe("December 31st 2026, 5:45pm");
	expect(formatOrderDate(at, "Pacific/Kiritimati")).toBe("January 1st 2027, 2:00am");
});

test("the server and the browser format every time identically in every time zone, so that hydration changes no date", () => {
	const moments = fc.integer({ min: seconds("2020-01-01T00:00Z"), max: seconds("2100-01-01T00:00Z") });
	const zones = fc.constantFrom("UTC", ...Intl.supportedValuesOf("timeZone"));
	fc.assert(
		fc.property(moments, zones, (at, zone) => {
			expect(formatLocally(at, zone)).toBe(formatOrderDate(at, zone));
		}),
		{ numRuns: 2000 },
	);
});

test("formatLocally uses the browser's time zone by default", () => {
	const at = seconds("2026-11-21T00:31:00Z");
	for (const zone of ["Asia/Kathmandu", "America/New_York"]) {
		const text = formatOrderDate(at, zone);
		vi.stubEnv("TZ", zone);
		expect(formatLocally(at)).toBe(text);
		vi.unstubAllEnvs();
	}
});

function requestFrom(cf: unknown): Request {
	return Object.assign(new Request("http://shop.test/orders"), { cf });
}

test("requestTimeZone returns the time zone that the edge reports", () => {
	expect(requestTimeZone(requestFrom({ timezone: "Europe/Berlin" }))).toBe("Europe/Berlin");
});

test.each([
	["no cf object", new Request("http://shop.test/orders")],
	["a null cf", requestFrom(null)],
	["no time zone", requestFrom({ colo: "FRA" })],
	["an unknown time zone", requestFrom({ timezone: "Mars/Olympus_Mons" })],
])("requestTimeZone returns UTC for a request with %s", (_, request) => {
	expect(requestTimeZone(request)).toBe("UTC");
});

test("for any input, requestTimeZone returns a time zone that can format a date", () => {
	const zones = fc.oneof(fc.string({ unit: "grapheme" }), fc.anything(), fc.constantFrom("+05:45", "EST", "utc"));
	fc.assert(
		fc.property(zones, (timezone) => {
			const text = formatOrderDate(0, requestTimeZone(requestFrom({ timezone })));
			expect(text).toMatch(/^(January 1st 1970|December 31st 1969), /);
		}),
	);
});
