import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { listWarnings } from "./product-photo.ts";

const folder = mkdtempSync(join(tmpdir(), "photo-"));
afterAll(() => rmSync(folder, { recursive: true }));

const opaque = "front.png has no transparent background. The pages, also dark ones, show it as a rectangle.";
const oblong = "front.png is not square. The pages show it smaller, with empty margins.";

test.for([
	["square and transparent", 8, "#fff0", []],
	["opaque", 8, "#fff", [opaque]],
	["not square", 6, "#fff0", [oblong]],
	["opaque, and not square", 6, "#fff", [opaque, oblong]],
] as const)(
	"listWarnings returns what the pages show of a photo that is %s",
	async ([, height, background, warnings]) => {
		const photo = join(folder, "front.png");
		await sharp({ create: { width: 8, height, channels: 4, background } })
			.png()
			.toFile(photo);
		expect(await listWarnings(photo)).toEqual(warnings);
	},
);
