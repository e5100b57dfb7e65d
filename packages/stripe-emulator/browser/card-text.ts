import { formatNumber, hasCheckDigit, isWholeCvc, isWholeNumber, longestNumber } from "../objects/card-number.ts";

/** Formatting and validation of the three card fields. */

export interface Problem {
	type: "validation_error";
	code: string;
	message: string;
}

export type Deleting = "backward" | "forward" | null;

export function digitsOf(text: string): string {
	return text.replaceAll(/\D/g, "");
}

export function numberText(text: string): string {
	return formatNumber(digitsOf(text));
}

/** Formats an expiry as "MM / YY", possibly partial. Adds a month's leading zero and drops the century of a four-digit
 *  year. While text is being deleted, omits a trailing separator, which would otherwise reappear immediately. */
export function expiryText(text: string, deleting: Deleting): string {
	const whole = /^\s*(\d{1,2})\s*[/-]\s*20(\d{2})\s*$/.exec(text);
	let digits = whole ? `${whole[1]?.padStart(2, "0")}${whole[2]}` : digitsOf(text);
	if (/^([2-9]|1[3-9])/.test(digits) || /^\s*1\s*[/-]/.test(text)) digits = whole ? digits : `0${digits}`;
	if (digits.startsWith("00")) digits = "0";
	digits = digits.replace(/^(\d\d)20(\d)/, "$1$2");
	if (digits.length < 2 || (digits.length === 2 && deleting)) return digits;
	return `${digits.slice(0, 2)} / ${digits.slice(2, 4)}`;
}

/** Returns the caret position after formatting, which keeps the number of digits after the caret. Backspace places the
 *  caret before a separator, and any other edit places it after, so that the caret never gets stuck. */
export function caretAfter(typed: string, caret: number, formatted: string, deleting: Deleting): number {
	const lost = Math.max(0, digitsOf(typed).length - digitsOf(formatted).length);
	let behind = Math.max(0, digitsOf(typed.slice(caret)).length - lost);
	let position = formatted.length;
	for (; position > 0 && behind > 0; position--) if (/\d/.test(formatted.charAt(position - 1))) behind--;
	while (deleting === "backward" && position > 0 && /\D/.test(formatted.charAt(position - 1))) position--;
	return position;
}

/** A number is reported as incomplete only after the field has lost focus (`left`). */
export function numberProblem(digits: string, left: boolean): Problem | undefined {
	const whole = isWholeNumber(digits);
	if (whole && hasCheckDigit(digits)) return undefined;
	if (digits.length === longestNumber(digits) || (whole && left)) {
		return problem("invalid_number", "Your card number is invalid.");
	}
	return left ? problem("incomplete_number", "Your card number is incomplete.") : undefined;
}

export function expiryProblem(digits: string, left: boolean, today: Date): Problem | undefined {
	if (digits.length < 4) {
		return left ? problem("incomplete_expiry", "Your card's expiration date is incomplete.") : undefined;
	}
	const month = Number(digits.slice(0, 2));
	const years = 2000 + Number(digits.slice(2)) - today.getFullYear();
	if (years < 0) return problem("invalid_expiry_year_past", "Your card's expiration year is in the past.");
	if (years > 50) return problem("invalid_expiry_year", "Your card's expiration year is invalid.");
	if (years > 0 || month > today.getMonth()) return undefined;
	return problem("invalid_expiry_month_past", "Your card's expiration date is in the past.");
}

export function cvcProblem(cvc: string, numberDigits: string, left: boolean): Problem | undefined {
	if (isWholeCvc(cvc, numberDigits) || !left) return undefined;
	return problem("incomplete_cvc", "Your card's security code is incomplete.");
}

function problem(code: string, message: string): Problem {
	return { type: "validation_error", code, message };
}
