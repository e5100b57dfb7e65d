import { CoreHeaders } from "miniflare";
import { expect, signInOverHttp, test } from "../support/browser.ts";
import { insertOrders } from "../support/seed-data.ts";

// the UTC offsets of these time zones are not whole hours
const created = ["2026-12-31T18:15:00Z", "2026-12-31T03:29:00Z", "2026-07-04T02:30:00Z"];
const inKathmandu = ["January 1st 2027, 12:00am", "December 31st 2026, 9:14am", "July 4th 2026, 8:15am"];
const inStJohns = ["December 31st 2026, 2:45pm", "December 30th 2026, 11:59pm", "July 4th 2026, 12:00am"];

const edge = { [CoreHeaders.CF_BLOB]: JSON.stringify({ timezone: "Asia/Kathmandu" }) };
// Arabic has its own digits and order of a date's parts
test.use({ locale: "ar-EG", timezoneId: "America/St_Johns", extraHTTPHeaders: edge });

test("dates are rendered in the edge's time zone and hydrate to the browser's", async ({ page, context, shop }) => {
	const customer = await signInOverHttp(context, shop);
	const times = created.map((time) => Date.parse(time) / 1000);
	await insertOrders(shop, await customer.userId(), times);
	const html = await (await page.goto("/orders"))?.text();
	expect(html?.match(/(?<=<time [^>]*>)[^<]*/g)).toEqual(inKathmandu);
	await expect(page.getByRole("time")).toHaveText(inStJohns);
});
