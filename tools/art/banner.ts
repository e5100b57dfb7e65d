import { basename } from "node:path";
import sharp from "sharp";
import { hero, tallHero } from "#app/catalogue/picture-widths.ts";

/** The parts of a photo that the banner shows: in wide windows its middle, on phones its right side. */
const parts = [
	{ name: "hero", widths: hero, size: { width: 3840, height: 1382, position: "centre" } },
	{ name: "hero-tall", widths: tallHero, size: { width: 1200, height: 1467, position: "right" } },
];

/** Returns why a photo cannot become the banner, or null. */
export async function refuseBanner(photo: string): Promise<string | null> {
	const { width, height } = (await sharp(photo).metadata()).autoOrient;
	const ratio = width / height;
	if (width >= 3840 && ratio >= 4 / 3 && ratio <= 16 / 9) return null;
	const wanted = "Use a photo in landscape format, best 3:2 (from 4:3 to 16:9), at least 3840 pixels wide.";
	return `${basename(photo)} has ${width} × ${height} pixels. ${wanted}`;
}

/** Cuts the banner's pictures from photos of the day and the evening, and returns them with the color for `--wall` in
 *  tokens.css. Without a photo of the evening, the dark theme has the dimmed photo of the day, on which the light
 *  headline is legible even over white. */
export async function cutBanner(day: string, evening?: string) {
	const themes = [
		{ suffix: "", photo: sharp(day).autoOrient() },
		{ suffix: "-night", photo: evening ? sharp(evening).autoOrient() : sharp(day).autoOrient().linear(0.35) },
	];
	const pictures = await Promise.all(
		themes.flatMap(({ suffix, photo }) =>
			parts.map(async ({ name, widths, size }) => {
				const picture = await photo.clone().removeAlpha().resize(size).png({ compressionLevel: 1 }).toBuffer();
				return { name: name + suffix, widths, picture };
			}),
		),
	);
	const [light, dark] = await Promise.all(pictures.filter(({ widths }) => widths === hero).map(wallOf));
	return { pictures, wall: `light-dark(${light}, ${dark})` };
}

/** Returns the mean color of a wide banner's left third, on which the headline lies, as `#rrggbb`. */
async function wallOf({ picture }: { picture: Buffer }): Promise<string> {
	const third = await sharp(picture).extract({ left: 0, top: 0, width: 1280, height: 1382 }).raw().toBuffer({
		resolveWithObject: true,
	});
	const { channels } = await sharp(third.data, { raw: third.info }).stats();
	return `#${channels.map(({ mean }) => Math.round(mean).toString(16).padStart(2, "0")).join("")}`;
}
