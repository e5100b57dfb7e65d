import type { StripeElementStyle } from "@stripe/stripe-js";

const brandWidth = 34;

/** Returns the rows and height of the card frame for its width, in CSS pixels. It has two rows if number, expiry and
 *  security code do not fit in one. The page calls it before the frame loads, to avoid a layout shift; the frame calls
 *  it for its own layout. */
export function elementHeight(width: number, style: StripeElementStyle | undefined) {
	const fontSize = pixels(style?.base?.fontSize) ?? 16;
	const lineHeight = pixels(style?.base?.lineHeight) ?? 0;
	const rowHeight = Math.ceil(Math.max(fontSize * 1.5, lineHeight));
	const rows = width < brandWidth + fontSize * 24 ? 2 : 1;
	return { rows, rowHeight, height: rows * rowHeight };
}

function pixels(length: string | undefined): number | undefined {
	const match = /^([\d.]+)(px|rem|em)$/.exec(length?.trim() ?? "");
	return match ? Number(match[1]) * (match[2] === "px" ? 1 : 16) : undefined;
}
