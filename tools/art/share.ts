// The files that other sites and devices show for the shop: the pictures of link previews, and its icons.
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { logo } from "#app/brand.ts";

const site = join(import.meta.dirname, "../../public");
const masters = join(import.meta.dirname, "masters");

/** The size that social networks show without cropping. They accept JPEG, but neither AVIF nor always WebP. */
const width = 1200;
const height = 630;
const jpeg = { quality: 82, mozjpeg: true };

/** Of the light theme in tokens.css. */
const page = "#f6f3ee";
const ink = "#17202b";

/** Each product's master, in the order of the home page. */
const products = new Map([
	["book", "book"],
	["mixer", "mixer"],
	["monitor", "monitor"],
	["speaker", "speaker"],
	["tablet", "tablet"],
	["ultrawide", "ultrawide-wide"],
]);

/** Writes public/pictures/share-*.jpg: each product on its shelf, and the banner for all other pages. The logo is their
 *  only text, because titles and prices change. */
export async function writeSharePictures(): Promise<void> {
	for (const [name, master] of products) await writeSharePicture(name, join(masters, `${master}.webp`));
	await writeBannerSharePicture(join(masters, "hero.webp"));
}

/** Writes the share picture of the shop from its wide banner, which fades into the page's color as on the home page, so
 *  that the logo is legible on any photo. */
export async function writeBannerSharePicture(banner: string | Buffer): Promise<void> {
	const fade = `<linearGradient id="fade" x2="0" y2="1">
			<stop offset=".76" stop-color="${page}" stop-opacity="0"/>
			<stop offset=".9" stop-color="${page}"/>
		</linearGradient>
		<rect width="100%" height="100%" fill="url(#fade)"/>`;
	// the headline's space is on the left of the banner
	await sharp(banner)
		.resize({ width, height, position: "right" })
		.composite([{ input: Buffer.from(toSvg(fade + drawLogo())) }])
		.jpeg(jpeg)
		.toFile(join(site, "pictures/share-shop.jpg"));
}

/** Writes a product's share picture from its first view. */
export async function writeSharePicture(name: string, view: string | Buffer): Promise<void> {
	const product = await sharp(view)
		.resize({ width, height: height - 20, fit: "inside" })
		.toBuffer();
	await sharp(Buffer.from(drawShelf(name)))
		.composite([{ input: product }])
		.removeAlpha()
		.jpeg(jpeg)
		.toFile(join(site, `pictures/share-${name}.jpg`));
}

/** Returns the shelf of a product in the light theme, with the logo. */
function drawShelf(name: string): string {
	const hue = hueOf(name);
	return toSvg(`<radialGradient id="shelf" cx=".5" cy=".25" r="1">
			<stop stop-color="${oklch(0.985, 0.006, hue)}"/>
			<stop offset="1" stop-color="${oklch(0.91, 0.024, hue)}"/>
		</radialGradient>
		<rect width="100%" height="100%" fill="url(#shelf)"/>
		${drawLogo(name)}`);
}

function toSvg(content: string): string {
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`;
}

/** Returns the logo in the ink of the light theme. A product's logo has faint dots, except the product's own. */
function drawLogo(product?: string): string {
	const color = product === undefined ? ink : `${ink}22`;
	const dots = Array.from(products.keys(), (name, index) => {
		const [x, y] = [58 + 26 * (index % 3), 548 + 26 * Math.floor(index / 3)];
		return `<circle cx="${x}" cy="${y}" r="9" fill="${name === product ? "#f59a1f" : color}"/>`;
	});
	const font = 'font-family="Inter, sans-serif" font-weight="800" font-size="41" letter-spacing="-.03em"';
	return `${dots.join("")}<text x="141" y="576" fill="${ink}" ${font}>${logo.replaceAll("&", "&amp;")}</text>`;
}

/** Returns the hue of a product's shelf in catalogue.css, whose first hue is that of products without their own. */
function hueOf(name: string): number {
	const css = readFileSync(join(import.meta.dirname, "../../app/catalogue/catalogue.css"), "utf8");
	const [, hue] = new RegExp(`\\.${name} \\{\\s*--hue: (\\d+)`).exec(css) ?? /--hue: (\d+)/.exec(css) ?? [];
	return Number(hue);
}

/** Converts an OKLCH color to sRGB, because sharp's SVG renderer does not support oklch(). */
function oklch(lightness: number, chroma: number, hue: number): string {
	const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
	const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
	const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
	const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
	const linear = [
		4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
		-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
		-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
	];
	return `rgb(${linear.map((value) => Math.round(255 * (1.055 * value ** (1 / 2.4) - 0.055)))})`;
}

/** Writes public/favicon.ico for browsers and crawlers that do not support SVG icons, and public/apple-touch-icon.png
 *  for home screens. */
export async function writeIcons(): Promise<void> {
	const svg = await readFile(join(site, "favicon.svg"), "utf8");
	const draw = (svg: string, size: number) => sharp(Buffer.from(svg), { density: 4.5 * size }).resize(size);
	const sizes = [16, 32, 48];
	const images = await Promise.all(sizes.map((size) => draw(svg, size).png().toBuffer()));
	await writeFile(join(site, "favicon.ico"), toIco(sizes, images));
	// home screens round the corners themselves, and show black where an icon is transparent
	const square = svg.replace(/ rx="[\d.]+"/, "");
	const margin = { top: 18, bottom: 18, left: 18, right: 18, extendWith: "copy" } as const;
	const file = join(site, "apple-touch-icon.png");
	await draw(square, 144).extend(margin).removeAlpha().png({ palette: true }).toFile(file);
}

/** Returns an ICO file: a header of 6 bytes, an entry of 16 bytes for each image, then the images as PNG. */
function toIco(sizes: number[], images: Buffer[]): Buffer {
	const head = Buffer.alloc(6 + 16 * images.length);
	// type 1 is an icon
	head.writeUInt16LE(1, 2);
	head.writeUInt16LE(images.length, 4);
	let offset = head.length;
	for (const [index, image] of images.entries()) {
		const entry = 6 + 16 * index;
		const size = sizes[index] ?? 0;
		head.writeUInt8(size, entry);
		head.writeUInt8(size, entry + 1);
		// color planes and bits per pixel
		head.writeUInt16LE(1, entry + 4);
		head.writeUInt16LE(32, entry + 6);
		head.writeUInt32LE(image.length, entry + 8);
		head.writeUInt32LE(offset, entry + 12);
		offset += image.length;
	}
	return Buffer.concat([head, ...images]);
}
