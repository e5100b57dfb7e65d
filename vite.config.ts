import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { browserScript } from "./stripe-emulator/browser-script.vite.ts";

export default defineConfig({
	plugins: [browserScript(), cloudflare({ viteEnvironment: { name: "ssr" } }), reactRouter()],
	environments: { ssr: { build: { minify: true } } },
});
