import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { browserScript } from "./stripe-emulator/browser-script.vite.ts";

export default defineConfig({
	plugins: [browserScript(), cloudflare({ viteEnvironment: { name: "ssr" } }), reactRouter()],
	// browsers since the spring of 2024, which know light-dark() and nesting: a third of the stylesheet would be for others
	build: { cssTarget: ["chrome123", "firefox121", "safari17.5"] },
	environments: { ssr: { build: { minify: true } } },
});
