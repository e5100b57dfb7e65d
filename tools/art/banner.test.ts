import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { cutBanner, refuseBanner } from "./banner.ts";

const folder = mkdtempSync(path.join(tmpdir(), "banner-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a photo whose left third has one color and whose rest has another. */
async function takePhoto(name: string, width: number, height: number, left = "#fff", right = "#c00") {
	const file = path.join(folder, name);
	const rest = sharp({ create: { width: Math.floor((2 * width) / 3), height, channels: 3, background: right } });
	await sharp({ create: { width, height, channels: 3, background: left } })
		.composite([{ input: await rest.png().toBuffer(), gravity: "east" }])
		.png({ compressionLevel: 1 })
		.toFile(file);
	return file;
}

test("the banner's pictures have the names, widths and proportions of the files that the pages use", async () => {
	const { pictures } = await cutBanner(await takePhoto("day.png", 4000, 2667));
	const files = pictures.flatMap(({ name, widths }) =>
		widths.flatMap((width) => [`${name}-${width}.avif`, `${name}-${width}.webp`]),
	);
	expect(files.toSorted()).toEqual(globSync("hero*", { cwd: "public/pictures" }).toSorted());
	for (const { name, widths, picture } of pictures) {
		const cut = await sharp(picture).metadata();
		const used = await sharp(`public/pictures/${name}-${Math.max(...widths)}.webp`).metadata();
		expect([name, cut.width, cut.height]).toEqual([name, used.width, used.height]);
	}
});

test("the dark theme has the second photo, or the first one dimmed", async () => {
	const day = await takePhoto("day.png", 3840, 2560);
	expect((await cutBanner(day, await takePhoto("night.png", 3840, 2560, "#012"))).wall).toBe(
		"light-dark(#ffffff, #001122)",
	);
	const { pictures, wall } = await cutBanner(day);
	// the headline, #f4efe7, has a contrast of 6:1 on #595959
	expect(wall).toBe("light-dark(#ffffff, #595959)");
	// phones show the right side
	const tall = await sharp(pictures.find(({ name }) => name === "hero-tall")?.picture).stats();
	expect(tall.channels.map(({ mean }) => Math.round(mean))).toEqual([204, 0, 0]);
});

test.for([
	[3840, 3840, "a square"],
	[3600, 2400, "a narrow photo"],
	[4200, 2100, "a panorama"],
	[2560, 3840, "a photo in portrait format"],
] as const)("%i × %i pixels, %s, is refused with the wanted format and width", async ([width, height]) => {
	const wanted = "Use a photo in landscape format, best 3:2 (from 4:3 to 16:9), at least 3840 pixels wide.";
	const photo = await takePhoto("wrong.png", width, height);
	expect(await refuseBanner(photo)).toBe(`wrong.png has ${width} × ${height} pixels. ${wanted}`);
});

test("the command refuses missing and small photos without writing a file", async () => {
	const listPictures = () => globSync("public/pictures/*");
	const before = listPictures();
	const small = await takePhoto("small.png", 640, 480);
	for (const [args, message] of [
		[["hero"], "hero day.jpg night.jpg"],
		[["hero", "none.png"], "There is no file none.png."],
		[["kettle", "none.png"], "There is no file none.png."],
		[["hero", small], "small.png has 640 × 480 pixels. Use a photo in landscape format"],
		[["Kettle", small], "kettle front.jpg top.jpg"],
		[["kettle", small], "small.png has 640 × 480 pixels. Use a photo with a side of at least 1280."],
	] as const) {
		const { status, stderr } = spawnSync("node", ["tools/art/photos.ts", ...args], { encoding: "utf8" });
		expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
	}
	expect(listPictures()).toEqual(before);
});
