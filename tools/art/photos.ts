import { existsSync } from "node:fs";
import { basename } from "node:path";
import sharp from "sharp";
import { product, wide } from "#app/catalogue/picture-widths.ts";
import { exit, readArguments } from "../scripts/arguments.ts";
import { progress } from "../scripts/progress.ts";
import { cutBanner, refuseBanner } from "./banner.ts";
import { encodeFiles } from "./encode.ts";
import { listWarnings, refusePhoto, size } from "./product-photo.ts";
import { writeBannerSharePicture, writeSharePicture } from "./share.ts";

const help = `Usage: npm run pictures -- PRODUCT PHOTO…, or npm run pictures -- hero DAY [NIGHT]

Writes a product's pictures and its share picture to public/pictures, from one photo per view, first view first. With
hero, writes the banner and the share picture of the shop.

Example: npm run pictures -- kettle front.jpg top.jpg`;
const [name = "", ...photos] = readArguments(help, {}, () => true).positionals;
const isHero = name === "hero";

const refusal = await findRefusal();
if (refusal !== null) exit(refusal);
await (isHero ? encodeHero() : encodeProduct());

/** Returns why the arguments or a photo cannot be used, or null. */
async function findRefusal(): Promise<string | null> {
	if (isHero && (photos.length === 0 || photos.length > 2)) {
		return "Name a photo, and maybe another one for the dark theme: hero day.jpg night.jpg";
	}
	// the pages derive a class from the name (app/catalogue/picture.tsx)
	if (!/^[a-z]+$/.test(name) || photos.length === 0) {
		return "Name the product in lowercase letters only, then a photo per view: kettle front.jpg top.jpg";
	}
	for (const photo of photos) {
		if (!existsSync(photo)) return `There is no file ${photo}.`;
		const refusal = await (isHero ? refuseBanner : refusePhoto)(photo);
		if (refusal !== null) return refusal;
	}
	return null;
}

async function encodeHero(): Promise<void> {
	const [day = "", evening] = photos;
	const { pictures, wall } = await cutBanner(day, evening);
	const begin = progress(pictures.length);
	for (const { name, widths, picture } of pictures) {
		begin(name);
		await encodeFiles(name, picture, { widths });
		if (name === "hero") await writeBannerSharePicture(picture);
	}
	console.info(`In app/theme/tokens.css, set --wall: ${wall};`);
}

async function encodeProduct(): Promise<void> {
	const begin = progress(photos.length);
	for (const [index, photo] of photos.entries()) {
		begin(basename(photo));
		for (const warning of await listWarnings(photo)) console.warn(warning);
		const resize = (width: number, height: number) =>
			sharp(photo).autoOrient().resize({ width, height, fit: "contain", background: "#0000" }).png().toBuffer();
		const square = await resize(size, size);
		const view = index === 0 ? name : `${name}-${index + 1}`;
		await encodeFiles(view, square, { widths: product });
		if (index === 0) {
			const width = Math.max(...wide);
			await encodeFiles(`${name}-wide`, await resize(width, width / 2), { widths: wide });
			await writeSharePicture(name, square);
		}
	}
	console.info(`The product's image is /pictures/${name}-640.webp.`);
}
