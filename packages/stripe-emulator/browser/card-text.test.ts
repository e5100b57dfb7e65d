import { expect, test } from "vitest";
import {
	caretAfter,
	cvcProblem,
	type Deleting,
	expiryProblem,
	expiryText,
	numberProblem,
	numberText,
} from "./card-text.ts";

const today = new Date(2026, 10, 20);

/** Applies an edit and returns the formatted text, with | for the caret. */
function edit(typed: string, deleting: Deleting, format: typeof expiryText = numberText) {
	const caret = typed.indexOf("|");
	const text = typed.replace("|", "");
	const formatted = format(text, deleting);
	const position = caretAfter(text, caret, formatted, deleting);
	return `${formatted.slice(0, position)}|${formatted.slice(position)}`;
}

test.each([
	["42424|", null, "4242 4|"],
	["4242 42424242 4242|", null, "4242 4242 4242 4242|"],
	["429|42 42", null, "429|4 242"],
	["4242 |", "backward", "4242|"],
	["4242|4242", "backward", "4242| 4242"],
	["4242|4242", "forward", "4242 |4242"],
	["4242 4242 9|4242 4242", null, "4242 4242 9|424 2424"],
	["a|", null, "|"],
] as const)("number: %s (deleting %s) becomes %s", (typed, deleting, expected) => {
	expect(edit(typed, deleting)).toBe(expected);
});

test.each([
	["3|", null, "03 / |"],
	["12|", null, "12 / |"],
	["13|", null, "01 / 3|"],
	["1/|", null, "01 / |"],
	["00|", null, "0|"],
	["12 / 345|", null, "12 / 34|"],
	["1230|", null, "12 / 30|"],
	["12/2030|", null, "12 / 30|"],
	["1/2030|", null, "01 / 30|"],
	["12 / 203|", null, "12 / 3|"],
	["12 / |", "backward", "12|"],
] as const)("expiry: %s (deleting %s) becomes %s", (typed, deleting, expected) => {
	expect(edit(typed, deleting, expiryText)).toBe(expected);
});

test.each([
	["4242", false, undefined],
	["4242", true, "incomplete_number"],
	["4242424242424241", false, "invalid_number"],
	["4242424242424242", true, undefined],
	["6200000000000004", false, undefined],
	["6200000000000004", true, "invalid_number"],
])("the error code of number %s (after blur: %s) is %s", (digits, left, code) => {
	expect(numberProblem(digits, left)?.code).toBe(code);
});

test.each([
	["12", false, undefined],
	["12", true, "incomplete_expiry"],
	["", true, "incomplete_expiry"],
	["1125", false, "invalid_expiry_year_past"],
	["1026", false, "invalid_expiry_month_past"],
	["1126", true, undefined],
	["0127", false, undefined],
	["1276", false, undefined],
	["0177", false, "invalid_expiry_year"],
])("in November 2026, the error code of expiry %s (after blur: %s) is %s", (digits, left, code) => {
	expect(expiryProblem(digits, left, today)?.code).toBe(code);
});

test.each([
	["12", "4242", false, undefined],
	["12", "4242", true, "incomplete_cvc"],
	["123", "4242", true, undefined],
	["1234", "4242", true, "incomplete_cvc"],
	["123", "3782", true, "incomplete_cvc"],
	["1234", "3782", true, undefined],
	["123", "", true, undefined],
	["1234", "", true, undefined],
])(
	"the error code of security code %s for a number that starts with %j (after blur: %s) is %s",
	(cvc, digits, left, code) => {
		expect(cvcProblem(cvc, digits, left)?.code).toBe(code);
	},
);
