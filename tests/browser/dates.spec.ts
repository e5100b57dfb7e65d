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
/** English, one that writes dates the other way round, and one with digits of its own. */
const locales = ["en-US", "de-DE", "ar-EG"];

let session: string;
test.beforeAll(async ({ shop }) => {
	session = (await createDatedOrders(shop)).cookie("__Host-session") ?? "";
});

for (const [index, zone] of zones.entries()) {
	for (const [shift, locale] of locales.entries()) {
		// npm run test:long sees every zone in every language
		if (!process.env["LONG"] && shift !== index % locales.length) continue;
		// the edge is mistaken in every combination, so that what hydrates is never what the browser itself would write
		const edgeZone = zones[(index + 1 + shift) % zones.length] ?? "UTC";
		test.describe(`${locale} in ${zone}`, () => {
			test.use({ locale, timezoneId: zone, extraHTTPHeaders: edge(edgeZone) });

			test(`dates come as of ${edgeZone}, where the edge is, and turn into the browser's own`, async ({
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
