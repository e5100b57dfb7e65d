import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { expect, test } from "../support/browser.ts";
import { createDatedOrders, datesIn, datesOf, edge } from "../support/dates.ts";

// Arabic has its own digits and order of a date's parts
test.use({ locale: "ar-EG", timezoneId: "America/St_Johns", extraHTTPHeaders: edge("Asia/Kathmandu") });

test("dates are rendered in the edge's time zone and hydrate to the browser's", async ({ page, context, shop }) => {
	const value = (await createDatedOrders(shop)).cookie(sessionCookieName) ?? "";
	await context.addCookies([{ name: sessionCookieName, value, url: `https://${shop.url.host}` }]);
	const response = await page.goto("/orders");
	expect(datesOf((await response?.text()) ?? "")).toEqual(datesIn["Asia/Kathmandu"]);
	await expect(page.getByRole("time")).toHaveText(datesIn["America/St_Johns"]);
});
