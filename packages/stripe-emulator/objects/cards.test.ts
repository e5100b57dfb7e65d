import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatNumber, hasCheckDigit, isWholeNumber } from "./card-number.ts";
import { describeOutcome, findCard, outcomeOf, testCards } from "./cards.ts";

test.each(testCards)("$number ($label) has a valid number and is found by its number and id", (card) => {
	expect(isWholeNumber(card.number) && hasCheckDigit(card.number)).toBe(true);
	for (const key of [card.number, card.id ?? card.number]) expect(findCard(key)).toBe(card);
	expect(card.id ?? "pm_card_").toMatch(/^pm_card_/);
	expect(outcomeOf(card.number, true)).toBe(card.outcome);
});

test.each(["4242424242424", "4012888888881881", "constructor", ""])(
	"%j is declined, as it is not a test card",
	(number) => {
		expect(outcomeOf(number, true).decline?.declineCode).toBe("test_mode_live_card");
	},
);

test("the README lists exactly the test cards, with their outcomes and ids", () => {
	const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
	const [, table = ""] = readme.split("| Number | Card | Payment | Id |\n|---|---|---|---|\n");
	const rows = testCards.map(
		({ number, label, outcome, id }) =>
			`| ${[formatNumber(number), label, describeOutcome(outcome), id ? `\`${id}\`` : ""].join(" | ")} |`,
	);
	const other = describeOutcome(outcomeOf("", true));
	expect(table.trim().split("\n")).toEqual([...rows, `| any other number |  | ${other} |  |`]);
});
