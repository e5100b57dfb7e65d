import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatNumber, hasCheckDigit, isWholeNumber } from "./card-number.ts";
import { outcomeOf, sharedPaymentMethods, testCards, whatHappens } from "./cards.ts";

test.each(testCards)("$number ($label) is a valid number and is listed once", (card) => {
	expect(isWholeNumber(card.number) && hasCheckDigit(card.number)).toBe(true);
	expect(testCards.filter(({ number }) => number === card.number)).toEqual([card]);
	expect(outcomeOf(card.number, true)).toBe(card.outcome);
});

test.each(Object.entries(sharedPaymentMethods))("%s has the number of a test card", (_, number) => {
	expect(testCards.map((card) => card.number)).toContain(number);
});

test.each(["4242424242424", "4012888888881881", "constructor", ""])(
	"%j is declined because it is not a test card",
	(number) => {
		expect(outcomeOf(number, true).decline?.declineCode).toBe("test_mode_live_card");
	},
);

test("whatHappens describes a card's outcome in words", () => {
	const words = (number: string) => whatHappens(outcomeOf(number, true));
	expect(words("4242424242424242")).toBe("pays");
	expect(words("4000000000000101")).toBe("pays; the check of the security code fails");
	expect(words("4000000000005126")).toBe("pays; a refund fails after a minute");
	expect(words("4000000000009995")).toBe("declines: card_declined, insufficient_funds");
	expect(words("4000000000000127")).toBe("declines: incorrect_cvc, if a security code is given");
	expect(words("4000008260003178")).toBe("asks for 3-D Secure, then declines: card_declined, insufficient_funds");
	expect(words("4000003800000446")).toBe("asks for 3-D Secure while the shopper is there, then pays");
});

test("the README's table lists the same cards and outcomes", () => {
	const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
	const rows = readme.match(/^\| [\d ]{16,} \|.*$/gm) ?? [];
	const says = testCards.map(
		({ number, label, outcome }) => `| ${formatNumber(number)} | ${label} | ${whatHappens(outcome)} |`,
	);
	expect(rows.filter((row) => !row.includes("4242 4242 4242 4241"))).toEqual(says);
});
