import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { hash, isKept, keep } from "./fingerprints.ts";

const folder = join(import.meta.dirname, "../../public/pictures");

// Full colour resolution (4:4:4) costs a sixth more bytes and removes the coloured fringes that halved resolution
// leaves where a saturated edge meets transparency. WebP cannot do it; its sharper subsampling comes closest.
const avif = { quality: 65, effort: 6, chromaSubsampling: "4:4:4" };
const webp = { quality: 80, effort: 6, smartSubsample: true, alphaQuality: 90 };

/** Encodes a master in every width, as AVIF and, for browsers without it, as WebP; nothing where all that is there.
 *  True when it did. */
export async function encode(name: string, master: string, widths: number[]): Promise<boolean> {
	const fingerprint = hash(await readFile(master), JSON.stringify({ widths, avif, webp }));
	const { width: full } = await sharp(master).metadata();
	// A picture never grows: that would cost bytes and show nothing more.
	const files = widths
		.filter((width) => width <= full)
		.map((width) => ({ width, file: join(folder, `${name}-${width}`) }));
	const complete = files.every(({ file }) => existsSync(`${file}.avif`) && existsSync(`${file}.webp`));
	if (complete && isKept(name, "encoded", fingerprint)) return false;

	await mkdir(folder, { recursive: true });
	const { isOpaque } = await sharp(master).stats();
	for (const { width, file } of files) {
		const picture = sharp(master).resize({ width });
		// An alpha channel that hides nothing would still be stored and decoded.
		if (isOpaque) picture.removeAlpha();
		await picture.clone().avif(avif).toFile(`${file}.avif`);
		await picture.clone().webp(webp).toFile(`${file}.webp`);
	}
	keep(name, "encoded", fingerprint);
	return true;
}
