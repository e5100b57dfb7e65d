import type { StripeElementStyle } from "@stripe/stripe-js";
import type { ElementType } from "./element-types.ts";

const NOTE_HEIGHT = 20;
const BRAND_WIDTH = 34;

export interface ElementHeight {
	/** Two if number, expiry and security code do not fit in one row. */
	rows: 1 | 2;
	rowHeight: number;
	height: number;
}

/** Returns the rows and height of an Element's frame for its width, in CSS pixels. The page calls it before the frame
 *  loads, to avoid a layout shift; the frame calls it for its own layout. */
export function elementHeight(type: ElementType, width: number, style: StripeElementStyle | undefined): ElementHeight {
	const fontSize = pixels(style?.base?.fontSize) ?? 16;
	const lineHeight = pixels(style?.base?.lineHeight) ?? 0;
	const rowHeight = Math.ceil(Math.max(fontSize * 1.5, lineHeight));
	const rows = type === "card" && width < BRAND_WIDTH + fontSize * 24 ? 2 : 1;
	const note = type === "card" || type === "cardNumber" ? NOTE_HEIGHT : 0;
	return { rows, rowHeight, height: rows * rowHeight + note };
}

function pixels(length: string | undefined): number | undefined {
	const match = /^([\d.]+)(px|rem|em)$/.exec(length?.trim() ?? "");
	return match ? Number(match[1]) * (match[2] === "px" ? 1 : 16) : undefined;
}
