import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatNumber, hasCheckDigit, isWholeNumber } from "./card-number.ts";
import { withCardTables } from "./card-tables.ts";
import { cardOf, declineWhenAttached, requiresChallenge, sharedIds, testCards, whatHappens, withCvc } from "./cards.ts";
import { newPaymentMethod, sharedPaymentMethod, sharedToken } from "./payment-method.ts";
import { cardGroups, pays } from "./test-cards.ts";

const now = Date.UTC(2026, 10, 28) / 1000;
const expiry = { expMonth: 12, expYear: 2040 };
const outcomeOf = (number: string) => cardOf(number).outcome;

test("every test card is a valid number, is listed once and makes a PaymentMethod with its data", () => {
	for (const { number, country, funding, coBrand, outcome, label } of testCards) {
		expect(isWholeNumber(number) && hasCheckDigit(number), label).toBe(true);
		expect(
			testCards.filter((card) => card.number === number),
			label,
		).toHaveLength(1);
		const cvc = number.startsWith("3") && number.length === 15 ? "1234" : "123";
		const method = newPaymentMethod({ number, cvc, ...expiry }, now);
		expect(method.outcome, label).toEqual(outcome);
		const { card } = method.paymentMethod;
		expect(card, label).toMatchObject({ country, funding, last4: number.slice(-4) });
		expect(card?.networks?.available, label).toEqual(coBrand ? [card?.brand, coBrand] : [card?.brand]);
	}
	const fingerprints = testCards.map(
		({ number }) => newPaymentMethod({ number, cvc: undefined, ...expiry }, now).paymentMethod.card?.fingerprint,
	);
	expect(new Set(fingerprints).size).toBe(testCards.length);
	for (const fingerprint of fingerprints) expect(fingerprint).toMatch(/^\w{16}$/);
});

test("every name is listed once and makes a PaymentMethod with its card's outcome", () => {
	const names = cardGroups.flatMap(({ cards, tokens }) => [
		...cards.flatMap(({ names, tokens }) => [...names, ...tokens]),
		...tokens.map(({ token }) => token),
	]);
	expect(new Set(names).size).toBe(names.length);
	for (const [id, { number, outcome }] of sharedIds) {
		const [method, other] = id.startsWith("tok_")
			? [sharedToken(id, now), sharedPaymentMethod(id, now)]
			: [sharedPaymentMethod(id, now), sharedToken(id, now)];
		expect(method, id).toMatchObject({ outcome, paymentMethod: { card: { last4: number.slice(-4) } } });
		expect(other, id).toBeUndefined();
	}
});

test.each([
	["4242424242424242", "visa", "visa"],
	["378282246310005", "amex", "american_express"],
	["3056930009020004", "diners", "diners_club"],
	["6205500000000000004", "unionpay", "union_pay"],
	["3530111333300000", "jcb", "jcb"],
	["6555900000604105", "discover", "discover"],
	["5062210000000009", "unknown", "other"],
])("card %s has brand %s and display brand %s", (number, brand, display_brand) => {
	const { card } = newPaymentMethod({ number, cvc: undefined, ...expiry }, now).paymentMethod;
	expect(card).toMatchObject({ brand, display_brand });
	expect(card?.three_d_secure_usage).toEqual({ supported: brand !== "amex" });
});

test.each(["4242424242424", "4012888888881881", "constructor", ""])(
	"%j is declined because it is not a test card",
	(number) => {
		expect(outcomeOf(number).decline?.declineCode).toBe("test_mode_live_card");
	},
);

test("a number that is not a test card has no fingerprint", () => {
	const { card } = newPaymentMethod({ number: "4539578763621486", cvc: "123", ...expiry }, now).paymentMethod;
	expect(card).toMatchObject({ fingerprint: null, last4: "1486" });
});

test("without a security code, it is not checked, and the card for incorrect_cvc pays", () => {
	expect(withCvc(outcomeOf("4000000000000127"), true).decline?.code).toBe("incorrect_cvc");
	expect(withCvc(outcomeOf("4000000000000127"), false)).toEqual({ ...pays, cvcCheck: null });
	expect(withCvc(outcomeOf("4000000000000101"), false)).toEqual({ ...pays, cvcCheck: null });
});

test.each([
	["4242424242424242", undefined],
	["4000000000000002", "card_declined"],
	["4000000000000069", "expired_card"],
	["4000000000000341", undefined],
	["4100000000000019", undefined],
	["4000008260003178", undefined],
	["4539578763621486", "card_declined"],
])("attaching card %s to a customer is declined with %s", (number, code) => {
	expect(declineWhenAttached(outcomeOf(number))?.code).toBe(code);
});

test.each([
	["4242424242424242", [false, false, false, false]],
	["4000002760003184", [true, true, true, true]],
	["4000002500003155", [true, true, true, false]],
	["4000003800000446", [true, true, false, false]],
	["4000000000003055", [false, true, false, false]],
	["4000000032200000", [false, false, false, false]],
])(
	"card %s requires a challenge on session, if requested, off session, and off session once set up: %j",
	(number, required) => {
		const onSession = { offSession: false };
		const contexts = [
			onSession,
			{ ...onSession, isRequested: true },
			{ offSession: true },
			{ offSession: true, isSetUp: true },
		];
		expect(contexts.map((context) => requiresChallenge(outcomeOf(number), context))).toEqual(required);
	},
);

test.each([
	["4242424242424242", "pays"],
	["4000000000000101", "pays; the security code check fails, if given"],
	["4000058400306072", "pays; the postal code check fails, if given; the risk level is elevated"],
	["4000000000000044", "pays; the line 1 check is unavailable; the postal code check is unavailable"],
	["4000000000005126", "pays; a refund fails after a minute"],
	["4000000000009995", "declines: card_declined, insufficient_funds"],
	["4100000000000019", "is blocked by Radar: card_declined, fraudulent"],
	["4000000000000127", "declines: incorrect_cvc, if a security code is given"],
	["4000008400001629", "requires 3-D Secure, then declines: card_declined, generic_decline"],
	["4000003800000446", "requires 3-D Secure on session, then pays"],
	["4000000000003097", "pays; 3-D Secure, if requested, fails"],
	["4000000000001976", "pays; then an inquiry is opened as fraudulent"],
	["4000000404000079", "pays; then it is disputed 2 times as fraudulent"],
])("whatHappens describes card %s: %s", (number, text) => {
	expect(whatHappens(outcomeOf(number))).toBe(text);
});

test("formatNumber shows every digit of a test card", () => {
	for (const { number } of testCards) expect(formatNumber(number).replaceAll(" ", "")).toBe(number);
});

test("the README's tables are those that write-test-cards.ts writes", () => {
	const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
	expect(withCardTables(readme)).toBe(readme);
});
