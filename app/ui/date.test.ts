import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { formatOrderDate, requestTimeZone } from "./date.server.ts";
import { formatLocally } from "./date.tsx";

const seconds = (iso: string) => Date.parse(iso) / 1000;

/** Asserts that the server and the browser format a date identically, so that hydration does not change it. */
function expectBoth(at: number, zone: string, text: string) {
	expect(formatOrderDate(at, zone)).toBe(text);
	expect(formatLocally(at, zone)).toBe(text);
}

test.each([
	["01", "1st"],
	["02", "2nd"],
	["03", "3rd"],
	["04", "4th"],
	["11", "11th"],
	["12", "12th"],
	["13", "13th"],
	["21", "21st"],
	["22", "22nd"],
	["23", "23rd"],
	["31", "31st"],
])("day %s is formatted as %s", (day, ordinal) => {
	expectBoth(seconds(`2026-12-${day}T16:31:00Z`), "UTC", `December ${ordinal} 2026, 4:31pm`);
});

test.each([
	["00:00", "12:00am"],
	["01:05", "1:05am"],
	["12:00", "12:00pm"],
	["13:00", "1:00pm"],
	["23:59", "11:59pm"],
])("%s is formatted as %s", (time, text) => {
	expectBoth(seconds(`2026-07-04T${time}:00Z`), "UTC", `July 4th 2026, ${text}`);
});

test("the same time is formatted differently in each time zone", () => {
	const at = seconds("2026-11-21T00:31:00Z");
	expectBoth(at, "America/New_York", "November 20th 2026, 7:31pm");
	expectBoth(at, "Asia/Kathmandu", "November 21st 2026, 6:16am");
	expectBoth(at, "Pacific/Kiritimati", "November 21st 2026, 2:31pm");
});

test("the same time is formatted with the new year in Kiritimati and with the old year in New York", () => {
	expectBoth(seconds("2026-12-31T12:00:00Z"), "Pacific/Kiritimati", "January 1st 2027, 2:00am");
	expectBoth(seconds("2026-12-31T12:00:00Z"), "America/New_York", "December 31st 2026, 7:00am");
});

test("formatted times in New York skip an hour in March and repeat an hour in November", () => {
	const zone = "America/New_York";
	expectBoth(seconds("2026-03-08T06:59:00Z"), zone, "March 8th 2026, 1:59am");
	expectBoth(seconds("2026-03-08T07:00:00Z"), zone, "March 8th 2026, 3:00am");
	expectBoth(seconds("2026-11-01T05:30:00Z"), zone, "November 1st 2026, 1:30am");
	expectBoth(seconds("2026-11-01T06:30:00Z"), zone, "November 1st 2026, 1:30am");
	expectBoth(seconds("2026-11-01T07:30:00Z"), zone, "November 1st 2026, 2:30am");
});

test("the server and the browser format every time identically in every time zone", () => {
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
	["a numeric time zone", requestFrom({ timezone: 7 })],
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
