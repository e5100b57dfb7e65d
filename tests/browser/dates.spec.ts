import { expect, test } from "../support/browser.ts";
import { createDatedOrders, datesIn, datesOf, edge } from "../support/dates.ts";

const zones = [
	"Pacific/Kiritimati",
	"Asia/Kathmandu",
	"Europe/Berlin",
	"America/St_Johns",
	"America/New_York",
	"Pacific/Pago_Pago",
] as const;
/** English, a locale with a different date order, and a locale with its own digits. */
const locales = ["en-US", "de-DE", "ar-EG"];

let session: string;
test.beforeAll(async ({ shop }) => {
	session = (await createDatedOrders(shop)).cookie("__Host-session") ?? "";
});

for (const [index, zone] of zones.entries()) {
	for (const [shift, locale] of locales.entries()) {
		// npm test checks the first zone in English and a zone with half hours in another locale
		if (!process.env["LONG"] && (index !== 3 * shift || index > 3)) continue;
		// the edge's zone always differs from the browser's, so hydration must change the server-rendered date
		const edgeZone = zones[(index + 1 + shift) % zones.length] ?? "UTC";
		test.describe(`${locale} in ${zone}`, () => {
			test.use({ locale, timezoneId: zone, extraHTTPHeaders: edge(edgeZone) });

			test(`dates are rendered in the edge's time zone (${edgeZone}) and hydrate to the browser's`, async ({
				page,
				context,
				shop,
			}) => {
				await context.addCookies([{ name: "__Host-session", value: session, url: `https://${shop.url.host}` }]);
				const response = await page.goto("/orders");
				expect(datesOf((await response?.text()) ?? "")).toEqual(datesIn[edgeZone]);
				await expect(page.getByRole("time")).toHaveText(datesIn[zone]);
			});
		});
	}
}
