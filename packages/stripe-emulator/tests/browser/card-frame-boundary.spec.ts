import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser.ts";
import type { Host } from "../support/host.ts";
import { servePage } from "../support/served-page.ts";

const card = { number: "378282246310005", expiry: "08 / 41", code: "7351" };

/** Every six-digit substring of the number, the expiry in several formats, and the code. */
const secrets = [
	...Array.from({ length: card.number.length - 5 }, (_, start) => card.number.slice(start, start + 6)),
	...["0841", "08/41", "08/2041", "2041", card.code],
];

/** Returns the card details found in `observed`, regardless of spaces and hyphens. Ignores the fields that Stripe's API
 *  returns by design: the last four digits and the expiry of a payment method. */
function secretsIn(observed: unknown): string[] {
	const text = JSON.stringify(observed, (name, value) =>
		["last4", "exp_month", "exp_year"].includes(name) ? undefined : value,
	).replaceAll(/[\s-]/g, "");
	return secrets.filter((secret) =>
		new RegExp(`(?<!\\w)${secret}(?!\\w)|${secret.length > 4 ? secret : "$^"}`).test(text),
	);
}

// dozens of the hostile page's requests fail, and the browser logs each failure
test.beforeEach(({ expectWarning }) => expectWarning(""));

/** Types the card into the hostile page's frame and runs the attack. Returns everything that the page and its server
 *  observed, what the page captured (`loot`), and the paths of the frame's POST requests (`sent`). */
async function underAttack(page: Page, host: Host, through: "stripe" | "frame") {
	const observed: unknown[] = [];
	const sent: string[] = [];
	page.on("request", (request) => {
		const { pathname } = new URL(request.url());
		const ofFrame = request.frame() !== page.mainFrame() && request.method() === "POST";
		if (ofFrame) sent.push(pathname);
		if (ofFrame && pathname.startsWith("/stripe-emulator/v1/")) return;
		observed.push(request.url(), request.headers(), request.postData());
	});
	page.on("console", (message) => observed.push(message.text()));
	const intent = await host.stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
	await servePage(page, host, "./hostile-page.ts");
	await page.goto(`/test-page?through=${through}&client_secret=${intent.client_secret}`);
	for (const [name, value] of [
		["cardnumber", card.number],
		["exp-date", card.expiry],
		["cvc", card.code],
	] as const) {
		await page.frameLocator("iframe").locator(`[name="${name}"]`).pressSequentially(value);
	}
	await page.getByRole("button", { name: "Attack" }).click();
	const loot = await page.locator("pre").textContent({ timeout: 200_000 });
	observed.push(JSON.parse(loot ?? ""));
	return { observed, loot: loot ?? "", sent: [...new Set(sent)].sort() };
}

const captured = ['"complete":true', '"amex"', '"succeeded"', "SecurityError"];

test("a page that intercepts every Stripe.js event and message cannot read the card", async ({ page, host }) => {
	const { observed, loot, sent } = await underAttack(page, host, "stripe");
	expect(secretsIn(observed)).toEqual([]);
	// the page does receive the events, the responses and the frame's SecurityErrors
	for (const text of captured) expect(loot).toContain(text);
	expect(sent).toEqual([expect.stringMatching(/^\/stripe-emulator\/v1\/payment_intents\/pi_\w+\/confirm$/)]);
});

test("a page that messages the frame directly cannot read the card", async ({ page, host }) => {
	const { observed, loot, sent } = await underAttack(page, host, "frame");
	expect(secretsIn(observed)).toEqual([]);
	for (const text of captured) expect(loot).toContain(text);
	expect(loot).not.toContain("second line");
	// the frame sends fewer change messages than there are keystrokes
	expect(loot.match(/"say":"change"/g)?.length).toBeLessThan(15);
	expect(sent.filter((path) => !path.startsWith("/stripe-emulator/v1/"))).toEqual([]);
});
