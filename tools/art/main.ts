// `npm run art`: renders the pictures whose sources have changed into tools/art/masters and encodes what is missing or stale
// in public/pictures. All of it is committed, so that neither a build nor a visitor waits for it. With names it renders
// these, changed or not; with --draft it renders small ones into tools/art/drafts and encodes nothing.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { encode } from "./encode.ts";
import { fingerprintScene, isKept, keep } from "./fingerprints.ts";
import { pictures } from "./pictures.ts";
import { drawTextures, renderDraft, renderMaster } from "./render.ts";

const howToGetBlender =
	"Rendering needs Blender 3.4: on Debian 12 `apt-get install --no-install-recommends blender python3-numpy fonts-inter`, " +
	"elsewhere https://download.blender.org/release/Blender3.4/ and the font Inter.";

const { values, positionals: names } = parseArgs({ allowPositionals: true, options: { draft: { type: "boolean" } } });
const unknown = names.filter((name) => !pictures.has(name));
if (unknown.length > 0) {
	console.error(`There is no picture ${unknown.join(", ")}. There are ${[...pictures.keys()].join(", ")}.`);
	process.exit(1);
}
const chosen = [...pictures].filter(([name]) => names.length === 0 || names.includes(name));
const stale = new Map(chosen.filter(([name, { scene }]) => names.length > 0 || hasChanged(name, scene)));

try {
	if (stale.size > 0) await drawTextures();
	for (const [name, { scene, widths }] of chosen) {
		if (stale.has(name)) await render(name, scene);
		if (!values.draft && (await encode(name, masterOf(name), widths))) console.info(`Encoded ${name}.`);
	}
} catch (error) {
	console.error(Object(error).path === "blender" ? howToGetBlender : error);
	process.exit(1);
}

async function render(name: string, scene: string): Promise<void> {
	console.info(`Rendering ${name}…`);
	if (values.draft) return renderDraft(name, scene);
	// taken before the rendering, during which somebody may go on working at the scene
	const fingerprint = fingerprintScene(scene);
	await renderMaster(name, scene, masterOf(name));
	keep(name, "rendered", fingerprint);
}

function hasChanged(name: string, scene: string): boolean {
	return !existsSync(masterOf(name)) || !isKept(name, "rendered", fingerprintScene(scene));
}

function masterOf(name: string): string {
	return join(import.meta.dirname, "masters", `${name}.webp`);
}
