import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { textures } from "./textures.ts";

const here = import.meta.dirname;

/** Writes every texture as PNG for the scenes. */
export async function drawTextures(): Promise<void> {
	const folder = join(here, "textures");
	await mkdir(folder, { recursive: true });
	for (const [name, drawing] of Object.entries(textures)) {
		await sharp(Buffer.from(drawing))
			.png()
			.toFile(join(folder, `${name}.png`));
	}
}

/** Renders a small picture with few samples. */
export async function renderDraft(name: string, scene: string): Promise<void> {
	await mkdir(join(here, "drafts"), { recursive: true });
	await render(scene, name, join(here, "drafts", `${name}.png`), "--draft");
}

/** Renders a master and saves it as lossless WebP, which is half the size of PNG. */
export async function renderMaster(name: string, scene: string, master: string): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "half-dozen-art-"));
	try {
		const rendered = join(folder, `${name}.png`);
		await render(scene, name, rendered);
		await sharp(rendered).webp({ lossless: true, effort: 4 }).toFile(master);
	} finally {
		await rm(folder, { recursive: true });
	}
}

/** Runs Blender. --python-exit-code must precede -P. Without this option, Blender exits with 0 even if a scene
 *  fails. */
function render(...args: string[]): Promise<void> {
	const script = join(here, "scenes/render.py");
	const blender = spawn("blender", ["-b", "--python-exit-code", "1", "-P", script, "--", ...args], {
		stdio: ["ignore", "ignore", "inherit"],
	});
	return new Promise((resolve, reject) => {
		blender.on("error", reject);
		blender.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`Blender exited with ${code}.`))));
	});
}
