import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

/** Copies the files of the repository to a folder, committed or not, and links its installed packages. The copy has
 *  caches of its own. */
export function copyRepository(folder: string): void {
	const listed = spawnSync("git", ["ls-files", "-co", "--exclude-standard", "--deduplicate"], { encoding: "utf8" });
	for (const path of listed.stdout.trim().split("\n")) {
		cpSync(path, join(folder, path), { preserveTimestamps: true, force: true });
	}
	mkdirSync(join(folder, "node_modules"));
	for (const entry of readdirSync("node_modules", { withFileTypes: true })) {
		if (/^\.(vite|cache)/.test(entry.name)) continue;
		const [from, to] = [resolve("node_modules", entry.name), join(folder, "node_modules", entry.name)];
		if (entry.isFile()) cpSync(from, to, { preserveTimestamps: true });
		// npm links the repository's own packages, of which the copy has its own
		else symlinkSync(entry.isSymbolicLink() ? readlinkSync(from) : from, to);
	}
}
