import { basename } from "node:path";
import sharp from "sharp";
import { product } from "#app/catalogue/picture-widths.ts";

export const size = Math.max(...product);

/** Returns why a photo cannot become a product's picture, or null. */
export async function refusePhoto(photo: string): Promise<string | null> {
	const { width, height } = await sharp(photo).metadata();
	if (Math.max(width, height) >= size) return null;
	return `${basename(photo)} has ${width} × ${height} pixels. Use a photo with a side of at least ${size}.`;
}

/** Returns what the pages will show of a photo besides the product. */
export async function listWarnings(photo: string): Promise<string[]> {
	const { width, height } = await sharp(photo).metadata();
	const { isOpaque } = await sharp(photo).stats();
	return [
		...(isOpaque ? ["has no transparent background. The pages, also dark ones, show it as a rectangle."] : []),
		...(width === height ? [] : ["is not square. The pages show it smaller, with empty margins."]),
	].map((warning) => `${basename(photo)} ${warning}`);
}
