import { readFile } from "node:fs/promises";
import sharp from "sharp";
import type { Picture } from "./pictures.ts";

/** Reads a master, with its shadow deepened if the picture asks for it. */
export async function readMaster(master: string, { shade = 1 }: Pick<Picture, "shade">): Promise<Buffer> {
	const file = await readFile(master);
	if (shade === 1) return file;
	const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
	const shadow = Buffer.alloc(data.length);
	// from the bottom up, because the shadow reaches under the product's lower edge, whose pixels are partly transparent
	for (let pixel = data.length - 4; pixel >= 0; pixel -= 4) {
		const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(pixel, pixel + 4);
		const isProduct = red + green + blue > 12 || alpha > 230;
		const below = shadow[pixel + 4 * info.width + 3] ?? 0;
		shadow[pixel + 3] = isProduct ? 0.8 * below : 255 * (1 - (1 - alpha / 255) ** (shade - 1));
	}
	return sharp(shadow, { raw: info })
		.composite([{ input: file }])
		.webp({ lossless: true })
		.toBuffer();
}
