import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { hash, isUnchanged, saveFingerprint } from "./fingerprints.ts";

const folder = join(import.meta.dirname, "../../public/pictures");

// Full chroma resolution (4:4:4) adds a sixth to the file size and removes colored fringes where saturated edges meet
// transparency. WebP does not support 4:4:4; smartSubsample comes closest.
const avif = { quality: 65, effort: 6, chromaSubsampling: "4:4:4" };
const webp = { quality: 80, effort: 6, smartSubsample: true, alphaQuality: 90 };

/** Encodes a master at every width as AVIF, and as WebP for browsers without AVIF. Returns false if all files are up to
 *  date. */
export async function encode(name: string, master: string, widths: number[]): Promise<boolean> {
	const fingerprint = hash(await readFile(master), JSON.stringify({ widths, avif, webp }));
	const { width: full } = await sharp(master).metadata();
	// Upscaling would add bytes but no detail.
	const files = widths
		.filter((width) => width <= full)
		.map((width) => ({ width, file: join(folder, `${name}-${width}`) }));
	const complete = files.every(({ file }) => existsSync(`${file}.avif`) && existsSync(`${file}.webp`));
	if (complete && isUnchanged(name, "encoded", fingerprint)) return false;

	await mkdir(folder, { recursive: true });
	const { isOpaque } = await sharp(master).stats();
	for (const { width, file } of files) {
		const picture = sharp(master).resize({ width });
		// A fully opaque alpha channel would still be stored and decoded.
		if (isOpaque) picture.removeAlpha();
		await picture.clone().avif(avif).toFile(`${file}.avif`);
		await picture.clone().webp(webp).toFile(`${file}.webp`);
	}
	saveFingerprint(name, "encoded", fingerprint);
	return true;
}
