import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textures } from "./textures.ts";

/** What a master was rendered from and its files were encoded from: times of change do not survive a clone. */
interface Fingerprints {
	rendered?: string;
	encoded?: string;
}

const scenes = join(import.meta.dirname, "scenes");
const file = join(import.meta.dirname, "masters/fingerprints.json");

/** True when nothing has changed since this was kept. */
export function isKept(name: string, kind: keyof Fingerprints, fingerprint: string): boolean {
	return readKept()[name]?.[kind] === fingerprint;
}

export function keep(name: string, kind: keyof Fingerprints, fingerprint: string): void {
	const kept = readKept();
	kept[name] = { ...kept[name], [kind]: fingerprint };
	const sorted = Object.fromEntries(Object.entries(kept).toSorted(([a], [b]) => (a < b ? -1 : 1)));
	writeFileSync(file, `${JSON.stringify(sorted, null, "\t")}\n`);
}

/** Read anew each time, because a rendering takes minutes, in which another may end. */
function readKept(): Record<string, Fingerprints> {
	return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

export function hash(...parts: (string | Buffer)[]): string {
	const sum = createHash("sha256");
	for (const part of parts) sum.update(createHash("sha256").update(part).digest());
	return sum.digest("hex").slice(0, 16);
}

/** Of everything that a scene is made from: its own file, those that it imports, and the textures that they name. The
 *  textures count as they are drawn, not as pixels, which differ from one version of a font to the next. */
export function fingerprintScene(scene: string): string {
	const sources = [readScene("render"), ...collectSources(scene).values()];
	const named = new Set(
		sources.flatMap((source) => [...source.matchAll(/'([\w-]+)\.png'/g)].map(([, name = ""]) => name)),
	);
	const drawings = Object.entries(textures).filter(([name]) => named.has(name));
	return hash(...sources, ...drawings.map(([, drawing]) => drawing));
}

/** The scene's file and, one after another, those of the same folder that it imports. */
function collectSources(scene: string, found = new Map<string, string>()): Map<string, string> {
	if (found.has(scene) || !existsSync(pathOf(scene))) return found;
	const source = readScene(scene);
	found.set(scene, source);
	for (const [, imported = ""] of source.matchAll(/^(?:from|import) (\w+)/gm)) collectSources(imported, found);
	return found;
}

function readScene(scene: string): string {
	return readFileSync(pathOf(scene), "utf8");
}

function pathOf(scene: string): string {
	return join(scenes, `${scene}.py`);
}
