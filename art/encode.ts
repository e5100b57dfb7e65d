import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";

// `node art/encode.ts` makes public/pictures from art/masters: every picture in the widths the pages ask for, as AVIF
// and, for browsers without it, as WebP. The results are committed, so that neither a build nor a visitor waits for it.
const masters = join(import.meta.dirname, "masters");
const pictures = join(import.meta.dirname, "../public/pictures");

const product = [320, 640, 960];
const widths = {
	book: product,
	mixer: product,
	monitor: product,
	speaker: product,
	tablet: product,
	ultrawide: product,
	"ultrawide-wide": [640, 1200, 1600],
	hero: [960, 1440, 2000],
	"hero-tall": [480, 900],
};

// Full colour resolution (4:4:4) costs a sixth more bytes and removes the coloured fringes that halved resolution
// leaves where a saturated edge meets transparency. WebP cannot do it; its sharper subsampling comes closest.
const avif = { quality: 65, effort: 6, chromaSubsampling: "4:4:4" };
const webp = { quality: 80, effort: 6, smartSubsample: true, alphaQuality: 90 };

await mkdir(pictures, { recursive: true });
for (const [name, sizes] of Object.entries(widths)) {
	const master = join(masters, `${name}.png`);
	const { isOpaque } = await sharp(master).stats();
	for (const width of sizes) {
		const picture = sharp(master).resize({ width });
		// An alpha channel that hides nothing would still be stored and decoded.
		if (isOpaque) picture.removeAlpha();
		const file = join(pictures, `${name}-${width}`);
		await picture.clone().avif(avif).toFile(`${file}.avif`);
		await picture.clone().webp(webp).toFile(`${file}.webp`);
	}
}
