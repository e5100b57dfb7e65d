import { build, type Plugin } from "vite";

/** Vite plugin for the host's build. `import code from "./browser/stripe.ts?script"` imports the text of that
 *  module, bundled with its imports into one classic script. */
export function browserScript(): Plugin {
	const suffix = "?script";
	return {
		name: "stripe-emulator-browser-script",
		enforce: "pre",
		async load(id) {
			if (!id.endsWith(suffix)) return null;
			const entry = id.slice(0, -suffix.length);
			this.addWatchFile(entry);
			const bundled = await build({
				configFile: false,
				logLevel: "error",
				build: { write: false, rollupOptions: { input: entry, output: { format: "iife" } }, modulePreload: false },
			});
			const [result] = [bundled].flat();
			if (!result || !("output" in result)) throw new Error(`${entry} was not bundled: build() returned a watcher`);
			const chunk = result.output.find((output) => output.type === "chunk");
			if (!chunk) throw new Error(`${entry} produced no script. Does it contain any code?`);
			for (const module of chunk.moduleIds) this.addWatchFile(module);
			return `export default ${JSON.stringify(chunk.code)};`;
		},
	};
}
