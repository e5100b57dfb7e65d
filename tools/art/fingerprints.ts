import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textures } from "./textures.ts";

/** Hashes of the sources of a master and of its encoded files. Git does not preserve modification times. */
interface Fingerprints {
	rendered?: string;
	encoded?: string;
}

const scenes = join(import.meta.dirname, "scenes");
const file = join(import.meta.dirname, "masters/fingerprints.json");

/** Returns whether the sources are unchanged since `saveFingerprint`. */
export function isUnchanged(name: string, kind: keyof Fingerprints, fingerprint: string): boolean {
	return readFingerprints()[name]?.[kind] === fingerprint;
}

export function saveFingerprint(name: string, kind: keyof Fingerprints, fingerprint: string): void {
	const saved = readFingerprints();
	saved[name] = { ...saved[name], [kind]: fingerprint };
	const sorted = Object.fromEntries(Object.entries(saved).toSorted(([a], [b]) => (a < b ? -1 : 1)));
	writeFileSync(file, `${JSON.stringify(sorted, null, "\t")}\n`);
}

/** Reads the file each time, because another process may finish a picture during a render. */
function readFingerprints(): Record<string, Fingerprints> {
	return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

export function hash(...parts: (string | Buffer)[]): string {
	const sum = createHash("sha256");
	for (const part of parts) sum.update(createHash("sha256").update(part).digest());
	return sum.digest("hex").slice(0, 16);
}

/** Returns a hash of a scene's sources: its file, the files that it imports, and the textures that these files name.
 *  Textures are hashed as SVG, because their pixels depend on the version of the font. */
export function fingerprintScene(scene: string): string {
	const sources = [readScene("render"), ...collectSources(scene).values()];
	const textureNames = new Set(
		sources.flatMap((source) => [...source.matchAll(/'([\w-]+)\.png'/g)].map(([, name = ""]) => name)),
	);
	const drawings = Object.entries(textures).filter(([name]) => textureNames.has(name));
	return hash(...sources, ...drawings.map(([, drawing]) => drawing));
}

/** Returns the sources of the scene and of every scene file that it imports, directly or not. */
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
