/** Brand, length and check digit of card numbers, shared by the account and the card frames. */
export type CardBrand = "visa" | "mastercard" | "amex" | "discover" | "diners" | "jcb" | "unionpay";

interface Shape {
	brand: CardBrand;
	begins: RegExp;
	lengths: readonly number[];
	groups: readonly number[];
	cvc: number;
}

const fours = [4, 4, 4, 4, 3];

const shapes: readonly Shape[] = [
	{ brand: "visa", begins: /^4/, lengths: [16], groups: fours, cvc: 3 },
	{ brand: "mastercard", begins: /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/, lengths: [16], groups: fours, cvc: 3 },
	{ brand: "amex", begins: /^3[47]/, lengths: [15], groups: [4, 6, 5], cvc: 4 },
	{ brand: "discover", begins: /^(6011|64[4-9]|65)/, lengths: [16], groups: fours, cvc: 3 },
	{ brand: "diners", begins: /^3(0[0-5]|[689])/, lengths: [14, 16], groups: fours, cvc: 3 },
	{ brand: "jcb", begins: /^35/, lengths: [16], groups: fours, cvc: 3 },
	{ brand: "unionpay", begins: /^62/, lengths: [16, 17, 18, 19], groups: fours, cvc: 3 },
];

const unknown = { lengths: [16], groups: fours, cvc: 4 };

function shapeOf(digits: string): Omit<Shape, "brand" | "begins"> {
	return shapes.find((shape) => shape.begins.test(digits)) ?? unknown;
}

export function brandOf(digits: string): CardBrand | "unknown" {
	return shapes.find((shape) => shape.begins.test(digits))?.brand ?? "unknown";
}

/** Returns the maximum length of a number with this prefix. */
export function longestNumber(digits: string): number {
	return Math.max(...shapeOf(digits).lengths);
}

export function isWholeNumber(digits: string): boolean {
	return shapeOf(digits).lengths.includes(digits.length);
}

/** Returns the length of the security code; the maximum, 4, for an unknown brand. */
export function cvcLength(digits: string): number {
	return shapeOf(digits).cvc;
}

/** Returns whether the security code has the right length for this card number. */
export function isWholeCvc(cvc: string, digits: string): boolean {
	return cvc.length === cvcLength(digits) || (brandOf(digits) === "unknown" && cvc.length === 3);
}

/** Returns whether the number passes the Luhn check. */
export function hasCheckDigit(digits: string): boolean {
	const sum = [...digits].reverse().reduce((total, digit, index) => {
		const weighed = Number(digit) * (index % 2 === 0 ? 1 : 2);
		return total + (weighed > 9 ? weighed - 9 : weighed);
	}, 0);
	return digits.length > 0 && sum % 10 === 0;
}

/** Groups the digits as printed on the card: in fours, or 4-6-5 for American Express. */
export function formatNumber(digits: string): string {
	const parts: string[] = [];
	let rest = digits.slice(0, longestNumber(digits));
	for (const length of shapeOf(digits).groups) {
		if (rest === "") break;
		parts.push(rest.slice(0, length));
		rest = rest.slice(length);
	}
	return parts.join(" ");
}
