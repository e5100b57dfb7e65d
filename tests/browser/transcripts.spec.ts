import { authenticatedCard, bank, expectBank } from "../support/bank.ts";
import { cardField, expect, holdMessages, test } from "../support/browser.ts";
import { speaker } from "../support/catalogue.ts";
import { recordSpeech } from "../support/speech.ts";
import { states } from "../support/states.ts";
import { transcriptOf } from "../support/transcript.ts";

// What a screen reader says on the shop's pages. TRANSCRIBE=1 npm test -- tests/browser/transcripts.spec.ts rewrites
// the files in tests/transcripts.

const pages = [
	...["home", "product", "checkout", "payment", "orders-guest-receipt", "orders", "login"],
	...["not-found", "offline", "page-failed"],
];

for (const name of pages) {
	test(`${name} is read aloud as in its transcript`, async ({ page, shop, expectWarning }) => {
		const state = states[name];
		if (!state) throw new Error(`There is no state ${name}.`);
		for (const beginning of [state.warning ?? []].flat()) expectWarning(beginning);
		// orders of the same second would be in any order
		page.on("websocket", () => void shop.advance(60));
		await state.open(page, shop);
		if (name === "orders") await page.getByText("Refunded").waitFor();
		await expect(page.locator(".toast")).toHaveCount(0);
		expect(await transcriptOf(page)).toMatchSnapshot(`${name}.txt`);
	});
}

test("a purchase with the keyboard is heard as in its transcript", async ({ page }) => {
	const link = (name: string) => page.getByRole("link", { name });
	const button = (name: string) => page.getByRole("button", { name });
	const focusOn = (heading: string) => () => expect(page.getByRole("heading", { name: heading })).toBeFocused();
	await holdMessages(page.context());
	const { tabTo, press, type, transcript } = await recordSpeech(page);
	await page.goto("/");
	await tabTo(link("Skip to content"));
	await press("Enter", () => expect(page.getByRole("main")).toBeFocused());
	await tabTo(button(`Add to Basket: ${speaker.title}`));
	await press("Enter", () => expect(page.getByRole("status")).toContainText("Added to basket"));
	await tabTo(link("Basket, 1 item"));
	await press("Enter", focusOn("Your basket"));
	await tabTo(link("Proceed to Checkout"));
	await press("Enter", async () => {
		await focusOn("Checkout (1 item)")();
		// the card input has loaded
		await expect(page.getByText("Enter your card details.")).toBeVisible();
	});
	await tabTo(cardField(page, "cardnumber"));
	// a complete field moves the focus to the next one
	await type(authenticatedCard, () => expect(cardField(page, "exp-date")).toBeFocused());
	await type("1234", () => expect(cardField(page, "cvc")).toBeFocused());
	await type("123", () => expect(button("Buy Now")).toBeEnabled());
	await tabTo(button("Buy Now"));
	await press("Enter", () => expectBank(page));
	await tabTo(bank(page).getByRole("button", { name: "Complete authentication" }));
	await press("Enter", focusOn("Your Orders"));
	expect(transcript()).toMatchSnapshot("purchase.txt");
});
