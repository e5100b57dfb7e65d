import { fileURLToPath } from "node:url";
import { build } from "vite";
import { browserScript } from "../../vite.ts";

/** Bundles the host's Worker into one module and returns its code. */
export async function buildHost(): Promise<string> {
	const bundled = await build({
		configFile: false,
		logLevel: "error",
		plugins: [browserScript()],
		resolve: { conditions: ["workerd", "worker", "module", "import"] },
		ssr: { noExternal: true, target: "webworker" },
		build: {
			ssr: true,
			write: false,
			rollupOptions: {
				input: fileURLToPath(new URL("host.worker.ts", import.meta.url)),
				external: [/^cloudflare:/, /^node:/],
			},
		},
	});
	const [result] = [bundled].flat();
	const chunks = result && "output" in result ? result.output.filter((output) => output.type === "chunk") : [];
	const [chunk] = chunks;
	if (!chunk || chunks.length > 1) throw new Error(`The host's Worker has ${chunks.length} chunks in place of one.`);
	return chunk.code;
}
