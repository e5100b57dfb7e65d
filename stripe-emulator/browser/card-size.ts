import type { StripeElementStyle } from "@stripe/stripe-js";

const NOTE_HEIGHT = 20;

export interface CardSize {
	/** One row, or two where number, expiry and security code do not fit beside each other. */
	rows: 1 | 2;
	rowHeight: number;
	height: number;
}

/** How high the card frame is at a width, everything in CSS pixels. The page asks before the frame has loaded, so
 *  that nothing moves when it has; the frame lays itself out by the same answer. */
export function cardSize(width: number, style: StripeElementStyle | undefined): CardSize {
	const fontSize = pixels(style?.base?.fontSize) ?? 16;
	const lineHeight = pixels(style?.base?.lineHeight) ?? 0;
	const rowHeight = Math.ceil(Math.max(fontSize * 1.5, lineHeight));
	const rows = width < fontSize * 22 ? 2 : 1;
	return { rows, rowHeight, height: rows * rowHeight + NOTE_HEIGHT };
}

function pixels(length: string | undefined): number | undefined {
	const match = /^([\d.]+)(px|rem|em)$/.exec(length?.trim() ?? "");
	return match ? Number(match[1]) * (match[2] === "px" ? 1 : 16) : undefined;
}
