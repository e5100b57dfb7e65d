import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { hash, isUnchanged, saveFingerprint } from "./fingerprints.ts";
import type { Picture } from "./pictures.ts";

/** What the encoder needs of a picture. */
type Files = Omit<Picture, "scene">;

const folder = join(import.meta.dirname, "../../public/pictures");

// Full chroma resolution (4:4:4) adds an eighth to the file size and removes colored fringes where saturated edges meet
// transparency. WebP does not support 4:4:4; smartSubsample comes closest.
const avif = { effort: 6, chromaSubsampling: "4:4:4" };
const webp = { effort: 6, smartSubsample: true, alphaQuality: 90 };

/** Returns the quality for AVIF and WebP: see "Quality" in README.md. The widest files are shown on dense screens, where
 *  artifacts are too small to see. */
function quality({ soft }: Files, width: number): { avif: number; webp: number } {
	if (width > 2000) return { avif: 50, webp: 72 };
	// cloth: at 960 pixels, where the budget of the home page's first screen is tight, 64 reaches the floor
	if (soft) return { avif: width === 960 ? 64 : 70, webp: 80 };
	return { avif: 56, webp: 80 };
}
const blur = 0.6;

/** Encodes a master at every width as AVIF, and as WebP for browsers without AVIF. Returns false if all files are up to
 *  date. */
export async function encode(name: string, master: string, picture: Picture): Promise<boolean> {
	const { widths, soft } = picture;
	const source = await readFile(master);
	const fingerprint = hash(
		source,
		JSON.stringify([widths.map((width) => [width, quality(picture, width)]), soft && blur, avif, webp]),
	);
	const files = await filesOf(name, source, picture);
	const complete = files.every(({ file }) => existsSync(`${file}.avif`) && existsSync(`${file}.webp`));
	if (complete && isUnchanged(name, "encoded", fingerprint)) return false;

	await encodeFiles(name, source, picture);
	saveFingerprint(name, "encoded", fingerprint);
	return true;
}

/** Encodes a picture at every width, whether or not its files are up to date. */
export async function encodeFiles(name: string, master: string | Buffer, picture: Files): Promise<void> {
	await mkdir(folder, { recursive: true });
	const { isOpaque } = await sharp(master).stats();
	for (const { width, file } of await filesOf(name, master, picture)) {
		const resized = shrink(master, picture, width);
		// A fully opaque alpha channel would still be stored and decoded.
		if (isOpaque) resized.removeAlpha();
		const best = quality(picture, width);
		await resized
			.clone()
			.avif({ ...avif, quality: best.avif })
			.toFile(`${file}.avif`);
		await resized
			.clone()
			.webp({ ...webp, quality: best.webp })
			.toFile(`${file}.webp`);
	}
}

/** Returns the widths of a picture's files and their paths without the extension. */
export async function filesOf(
	name: string,
	master: string | Buffer,
	{ widths }: Files,
): Promise<{ width: number; file: string }[]> {
	const { width: full } = await sharp(master).metadata();
	// Upscaling would add bytes but no detail.
	return widths.filter((width) => width <= full).map((width) => ({ width, file: join(folder, `${name}-${width}`) }));
}

/** Returns the master at this width, before it is encoded. */
export function shrink(master: string | Buffer, { widths, soft }: Files, width: number): Sharp {
	const resized = sharp(master).resize({ width });
	if (soft && width === widths[0]) resized.blur(blur);
	return resized;
}
