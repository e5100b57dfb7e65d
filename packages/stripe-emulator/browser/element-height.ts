import type { CardElementType } from "./element-types.ts";
import type { ElementOptions } from "./messages.ts";

const NOTE_HEIGHT = 20;
const BRAND_WIDTH = 34;

export interface ElementHeight {
	/** Two if all fields do not fit in one row; three if not even those after the number fit in one row. */
	rows: 1 | 2 | 3;
	rowHeight: number;
	height: number;
}

/** Returns the rows and height of a card Element's frame for its width, in CSS pixels. The page calls it before the
 *  frame loads, to avoid a layout shift; the frame calls it for its own layout. */
export function elementHeight(
	type: CardElementType,
	width: number,
	{ style, hidePostalCode }: ElementOptions,
): ElementHeight {
	const fontSize = pixels(style?.base?.fontSize) ?? 16;
	const lineHeight = pixels(style?.base?.lineHeight) ?? 0;
	const rowHeight = Math.ceil(Math.max(fontSize * 1.5, lineHeight));
	const hasPostal = type === "card" && hidePostalCode !== true;
	const fits = (ems: number) => type !== "card" || width >= BRAND_WIDTH + fontSize * ems;
	const rows = fits(hasPostal ? 31 : 24) ? 1 : !hasPostal || fits(15) ? 2 : 3;
	const note = type === "card" || type === "cardNumber" ? NOTE_HEIGHT : 0;
	return { rows, rowHeight, height: rows * rowHeight + note };
}

function pixels(length: string | undefined): number | undefined {
	const match = /^([\d.]+)(px|rem|em)$/.exec(length?.trim() ?? "");
	return match ? Number(match[1]) * (match[2] === "px" ? 1 : 16) : undefined;
}
