import { fileURLToPath } from "node:url";
import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { browserScript } from "stripe-emulator/vite.ts";
import { defineConfig } from "vite";
import { cardElementOnly, reachableRouterOnly, streamingRendererOnly } from "./app/reachable-code.vite.ts";

/** A file of React Router's production build. Its package names only the one for development, which warns. */
const production = (file: string) =>
	fileURLToPath(new URL(`./node_modules/react-router/dist/production/${file}`, import.meta.url));

export default defineConfig(({ command }) => ({
	plugins: [
		streamingRendererOnly,
		reachableRouterOnly,
		cardElementOnly,
		browserScript(),
		cloudflare({ viteEnvironment: { name: "ssr" } }),
		reactRouter(),
	],
	resolve: {
		alias:
			command === "build"
				? [
						{ find: /^react-router$/, replacement: production("index.mjs") },
						{ find: /^react-router\/dom$/, replacement: production("dom-export.mjs") },
					]
				: [],
	},
	// browsers since the spring of 2024, which know light-dark() and nesting: a third of the stylesheet would be for others
	build: {
		modulePreload: false,
		cssTarget: ["chrome123", "firefox121", "safari17.5"],
	},
	environments: {
		client: {
			build: {
				rolldownOptions: {
					output: {
						codeSplitting: {
							// what every page loads is two files, each a module with all that it imports: one changes with an upgrade
							// of React or React Router, the other with the shop. What lists show is a third
							groups: [
								{ name: "framework", test: /entry\.client\.tsx$/ },
								{ name: "shell", test: /app[\\/](root|shell[\\/]shop)\.tsx/ },
								{ name: "item", test: /app[\\/](basket[\\/]line-item|ui[\\/]empty-state)\.tsx/ },
								{ name: "lines", test: /app[\\/]basket[\\/]line-items\.tsx/ },
								{
									name: "pay",
									test: /app[\\/](checkout[\\/](?!checkout-outcomes|opened-checkout)|routes[\\/]payment\.tsx)/,
								},
							],
						},
					},
				},
			},
		},
		ssr: { build: { minify: true } },
	},
}));
