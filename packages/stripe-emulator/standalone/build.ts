// Builds dist/: `node standalone/build.ts`.
import { cpSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { InlineConfig } from "vite";

const folder = fileURLToPath(new URL("..", import.meta.url));
const dist = join(folder, "dist");

/** Builds the standalone Worker and the command line, unless nothing has changed since the last build. */
export async function buildIfStale(): Promise<void> {
	const builtAt = statSync(join(dist, "workerd.capnp"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
	if (newestIn(folder) >= builtAt) await buildStandalone();
}

/** Bundles the standalone Worker and the command line into dist/. */
async function buildStandalone(): Promise<void> {
	mkdirSync(dist, { recursive: true });
	const { browserScript } = await import("../vite.ts");
	const noExternal = { ssr: { noExternal: true as const, target: "webworker" as const } };
	const worker = {
		...noExternal,
		plugins: [browserScript()],
		resolve: { conditions: ["workerd", "worker", "module", "import"] },
	};
	for (const [name, config] of [
		["worker", worker],
		["cli", {}],
	] as const) {
		write(`${name}.js`, await bundle(join(folder, `standalone/${name}.ts`), config));
	}
	// last, because its time is the time of the build
	cpSync(join(folder, "standalone/workerd.capnp"), join(dist, "workerd.capnp"));
}

async function bundle(input: string, config: InlineConfig): Promise<string> {
	// loading Vite takes longer than starting the server, which mostly needs no build
	const { build } = await import("vite");
	const bundled = await build({
		...config,
		configFile: false,
		logLevel: "error",
		build: {
			ssr: true,
			write: false,
			minify: true,
			rollupOptions: { input, external: [/^cloudflare:/, /^node:/] },
		},
	});
	const [result] = [bundled].flat();
	const chunks = result && "output" in result ? result.output.filter((output) => output.type === "chunk") : [];
	const [chunk] = chunks;
	if (!chunk || chunks.length > 1) throw new Error(`${input} has ${chunks.length} chunks in place of one.`);
	return chunk.code;
}

/** Writes a file of dist/ in one step, so that a server that starts meanwhile does not read half of it. */
function write(name: string, text: string): void {
	const temporary = join(dist, `${name}.${process.pid}`);
	writeFileSync(temporary, text);
	renameSync(temporary, join(dist, name));
}

/** Returns the latest modification time in a folder, in milliseconds, except of tests, packages and dist/. */
function newestIn(path: string): number {
	const entries = readdirSync(path, { withFileTypes: true }).filter(
		({ name }) => !/^(dist|node_modules|tests)$|\.test\.ts$|\.md$/.test(name),
	);
	const times = entries.map((entry) => {
		const own = join(path, entry.name);
		return entry.isDirectory() ? newestIn(own) : statSync(own).mtimeMs;
	});
	return Math.max(0, ...times);
}

if (import.meta.main) await buildStandalone();
