import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** Makes another build of the shop from the one there is: every file in its assets has another name, as after a change to
 *  all of them. Returns its folder for `openShop` and `deploy`; remove the folder above when done. */
export async function buildAgain(): Promise<{ server: string; folder: string }> {
	const folder = await mkdtemp(join(tmpdir(), "half-dozen-next-"));
	await cp("build", join(folder, "build"), { recursive: true });
	await cp("migrations", join(folder, "migrations"), { recursive: true });
	const assets = join(folder, "build/client/assets");
	const names = await readdir(assets);
	const renamed = (text: string) =>
		names.reduce((text, name) => text.replaceAll(name, name.replace(/(?=\.\w+$)/, "2")), text);
	for (const place of ["build/client/assets", "build/server"]) {
		for (const file of await readdir(join(folder, place), { recursive: true })) {
			if (!/\.(js|css|json)$/.test(file)) continue;
			const text = await readFile(join(folder, place, file), "utf8");
			const name = names.includes(basename(file)) && place !== "build/server" ? renamed(file) : file;
			await writeFile(join(folder, place, name), renamed(text));
		}
	}
	for (const name of names) await rm(join(assets, name));
	return { server: join(folder, "build/server"), folder };
}
