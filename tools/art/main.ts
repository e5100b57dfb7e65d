import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { readArguments } from "../scripts/arguments.ts";
import { progress } from "../scripts/progress.ts";
import { encode, filesOf, shrink } from "./encode.ts";
import { fingerprintScene, isUnchanged, saveFingerprint } from "./fingerprints.ts";
import { type Picture, pictures } from "./pictures.ts";
import { rate } from "./quality.ts";
import { drawTextures, renderDraft, renderMaster } from "./render.ts";
import { writeIcons, writeSharePictures } from "./share.ts";

const installBlender =
	"Rendering needs Blender 3.4 and the font Inter. On Debian 12: apt-get install --no-install-recommends blender " +
	"python3-numpy fonts-inter. Elsewhere: https://download.blender.org/release/Blender3.4/";

const help = `Usage: npm run art -- [--draft | --quality] [PICTURE…]

Renders the pictures whose sources have changed to tools/art/masters, and encodes missing or outdated files in
public/pictures. Both folders are committed, so that builds do not need Blender. With names, renders these pictures, even
if unchanged. --draft renders small versions to tools/art/drafts and encodes nothing. --quality only compares the encoded
files with the masters. The pictures: ${[...pictures.keys()].join(", ")}

Example: npm run art -- --draft book`;
const { values, positionals: names } = readArguments(
	help,
	{ draft: { type: "boolean" }, quality: { type: "boolean" } },
	(name) => pictures.has(name),
);
const chosen = [...pictures].filter(([name]) => names.length === 0 || names.includes(name));
const stale = new Map(chosen.filter(([name, { scene }]) => names.length > 0 || hasChanged(name, scene)));

const begin = progress(chosen.length);
if (values.quality) {
	for (const [name, picture] of chosen) await printQuality(name, picture);
	process.exit();
}
try {
	if (stale.size > 0) await drawTextures();
	for (const [name, picture] of chosen) {
		begin(name);
		if (stale.has(name)) await render(name, picture.scene);
		if (!values.draft && (await encode(name, masterOf(name), picture))) console.info(`Encoded ${name}.`);
	}
	if (!values.draft) await Promise.all([writeSharePictures(), writeIcons()]);
} catch (error) {
	console.error(Object(error).path === "blender" ? installBlender : error);
	process.exit(1);
}

async function render(name: string, scene: string): Promise<void> {
	console.info(`Rendering ${name}…`);
	if (values.draft) return renderDraft(name, scene);
	// hash before rendering, because the scene may be edited meanwhile
	const fingerprint = fingerprintScene(scene);
	await renderMaster(name, scene, masterOf(name));
	saveFingerprint(name, "rendered", fingerprint);
}

/** Prints the width, bytes and SSIM (mean and worst square) of each of a picture's AVIF files. */
async function printQuality(name: string, picture: Picture): Promise<void> {
	const master = masterOf(name);
	for (const { width, file } of await filesOf(name, master, picture)) {
		const source = await shrink(master, picture, width).png().toBuffer();
		const encoded = await readFile(`${file}.avif`);
		const { mean, worst } = await rate(sharp(source), sharp(encoded));
		console.info(`${name}\t${width}\t${encoded.length}\t${mean.toFixed(4)}\t${worst.toFixed(4)}`);
	}
}

function hasChanged(name: string, scene: string): boolean {
	return !existsSync(masterOf(name)) || !isUnchanged(name, "rendered", fingerprintScene(scene));
}

function masterOf(name: string): string {
	return join(import.meta.dirname, "masters", `${name}.webp`);
}
