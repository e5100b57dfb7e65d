import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hasCheckDigit, isWholeNumber } from "./card-number.ts";
import { describeOutcome, findCard, outcomeOf, testCards } from "./cards.ts";

test.each(testCards)("$number ($label) has a valid number and is found by its number and id", (card) => {
	expect(isWholeNumber(card.number) && hasCheckDigit(card.number)).toBe(true);
	for (const key of [card.number, card.id ?? card.number]) expect(findCard(key)).toBe(card);
	expect(card.id ?? "pm_card_").toMatch(/^pm_card_/);
	expect(outcomeOf(card.number, true)).toBe(card.outcome);
});

test("a card that is not a test card is declined", () => {
	const message = expect.stringMatching(
		/^Your card was declined\. Your request was in test mode, but used a non test card/,
	);
	const decline = { code: "card_declined", declineCode: "test_mode_live_card", message };
	expect(outcomeOf("4012888888881881", true).decline).toEqual(decline);
});

test.each([
	["0002", "Your card was declined.", undefined],
	["9995", "Your card has insufficient funds.", undefined],
	["0069", "Your card has expired.", "exp_month"],
	["0127", "Your card's security code is incorrect.", "cvc"],
	["0119", "An error occurred while processing your card. Try again in a little bit.", undefined],
])("the decline of card 4000 0000 0000 %s has Stripe's message and parameter", (digits, message, param) => {
	expect(outcomeOf(`400000000000${digits}`, true).decline).toMatchObject({ message, ...(param && { param }) });
});

test("an incorrect security code is declined only if one is sent", () => {
	expect(outcomeOf("4000000000000127", false)).toMatchObject({ decline: null });
});

test("the README lists exactly the test cards, with their outcomes and ids", () => {
	const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
	const list = readme.split("## Test cards")[1]?.match(/^- .*$/gm);
	const lines = testCards.map(
		({ number, label, outcome, id }) => `- ${number}, ${label}${id ? ` (\`${id}\`)` : ""}: ${describeOutcome(outcome)}`,
	);
	const other = describeOutcome(outcomeOf("", true));
	expect(list).toEqual([...lines, `- any other number: ${other}`]);
});
