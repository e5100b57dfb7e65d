// `npm run pictures -- kettle front.jpg top.jpg`: writes a product's pictures and its share picture to public/pictures
// from one photo per view, first view first.
import { basename } from "node:path";
import sharp from "sharp";
import { encodeFiles } from "./encode.ts";
import { product, wide } from "./pictures.ts";
import { writeSharePicture } from "./share.ts";

const [name = "", ...photos] = process.argv.slice(2);
const size = Math.max(...product);

// the pages derive a class from the name (app/catalogue/picture.tsx)
if (!/^[a-z]+$/.test(name) || photos.length === 0) {
	console.error("Name the product in lowercase letters only, then a photo per view: kettle front.jpg top.jpg");
	process.exit(1);
}
for (const [index, photo] of photos.entries()) {
	const { width, height } = await sharp(photo).metadata();
	if (Math.max(width, height) < size) {
		console.error(`${basename(photo)} has ${width} × ${height} pixels. Use a photo with a side of at least ${size}.`);
		process.exit(1);
	}
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
	console.info(`Encoded ${view}.`);
}
