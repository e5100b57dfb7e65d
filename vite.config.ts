import { rm } from "node:fs/promises";
import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { browserScript } from "stripe-emulator/vite.ts";
import { defineConfig, type Plugin } from "vite";
import { browsers } from "./tools/vite/browsers.ts";
import { treeshake } from "./tools/vite/treeshake.ts";

/** Deletes the file with which Cloudflare's plugin points wrangler to the last build, so that `wrangler dev` reads
 *  wrangler.toml and builds again. */
const followWranglerToml: Plugin = {
	name: "follow-wrangler-toml",
	buildApp: { order: "post", handler: () => rm(".wrangler/deploy", { recursive: true, force: true }) },
};

/** Restarts the development server when .dev.vars is created or deleted. Cloudflare's plugin
 *  restarts it only when the file is edited. */
const followDevVars: Plugin = {
	name: "follow-dev-vars",
	configureServer(server) {
		const restart = (path: string) => path === `${server.config.root}/.dev.vars` && server.restart();
		server.watcher.on("add", restart).on("unlink", restart);
	},
};

export default defineConfig({
	plugins: [
		browserScript(),
		cloudflare({
			viteEnvironment: { name: "ssr" },
			// any page on localhost could run code in the Worker through it
			inspectorPort: false,
			// the top level of wrangler.toml names the built Worker, an environment its source
			config: ({ main }) => (main?.endsWith("build/server/index.js") ? { main: "local/entry.worker.ts" } : {}),
		}),
		followWranglerToml,
		followDevVars,
		reactRouter(),
	],
	clearScreen: false,
	build: {
		modulePreload: false,
		// fallbacks for older browsers would make up a third of the stylesheet
		cssTarget: browsers,
		// on a busy machine, rolldown would warn that plugins are slow
		rolldownOptions: { checks: { bundlerTimings: false } },
	},
	environments: {
		client: {
			build: {
				rolldownOptions: {
					treeshake,
					// each page contains only its own texts of brand.ts
					optimization: { inlineConst: { mode: "all" } },
					output: {
						codeSplitting: {
							// Every page loads two files: the framework, which changes with upgrades of React and React Router, and
							// the shell, which changes with the shop and has what several pages share.
							groups: [
								{ name: "framework", test: /entry\.client\.tsx$/ },
								{
									name: "shell",
									test: /app[\\/](root|frame[\\/]every-page|ui[\\/]page-styles|basket[\\/](change-basket|line-items)|routes[\\/]items)\.(tsx|css)/,
								},
							],
						},
					},
				},
			},
		},
		ssr: { build: { minify: true } },
	},
});
