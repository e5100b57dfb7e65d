import { fileURLToPath } from "node:url";
import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";
import { browserScript } from "./stripe-emulator/browser-script.vite.ts";

/** React's server entry brings two renderers. Nobody asks for the second, which would be an eighth of the Worker. */
const streamingRendererOnly: Plugin = {
	name: "streaming-renderer-only",
	enforce: "pre",
	resolveId: (id) => (id.includes("/react-dom-server-legacy.") ? "\0no-renderer" : null),
	load: (id) => (id === "\0no-renderer" ? "export {};" : null),
};

/** Parts of React Router that the shop never reaches, which no bundler can know: what instruments a router, for nobody
 *  asks for it; components that are merely named; and whole pages for a first load that waits and an error that meets no
 *  boundary, where the root route has its own. What is left of these is a line for an error in the root route's Layout. */
const reachableRouterOnly: Plugin = {
	name: "reachable-router-only",
	enforce: "pre",
	applyToEnvironment: ({ name }) => name === "client",
	transform: {
		filter: { id: /react-router[\\/]dist[\\/]production[\\/]chunk-/ },
		handler: (code) =>
			code
				.replaceAll(/\b(init|opts\??)\.instrumentations\b/g, "undefined")
				.replaceAll(/^(NavLink|HistoryRouter)\.displayName = .*/gm, "")
				.replaceAll(/= (React\d*\.forwardRef\()/g, "= /* @__PURE__ */ $1")
				.replaceAll(
					/function (RemixRootDefaultHydrateFallback|DefaultErrorComponent)\(/g,
					"const $1 = null; function $1_(",
				)
				.replace("function RemixRootDefaultErrorBoundary(", `${lastResort}; function RemixRootDefaultErrorBoundary_(`),
	},
};

/** Parts of Stripe's browser packages that the shop never reaches: types of props, which React 19 ignores, elements other
 *  than the card, elements in a checkout that Stripe hosts, parameters for loading Stripe.js, and helpers for browsers that
 *  cannot destructure. */
const cardElementOnly: Plugin = {
	name: "card-element-only",
	enforce: "pre",
	applyToEnvironment: ({ name }) => name === "client",
	transform: {
		filter: { id: /stripe-js[\\/]dist[\\/](react-stripe\.esm|pure)\.mjs$/ },
		handler: (code) =>
			code
				.replace(/^loadStripe\.setLoadParameters = [\s\S]*?^\};$/m, "const params = undefined;")
				.replaceAll(/Script\((?:params|loadParams)\)/g, "Script()")
				.replaceAll(/_slicedToArray\(([\w$]+), 2\)/g, "$1")
				.replace("import PropTypes from 'prop-types';", "")
				.replaceAll(/^\s*\w+\.propTypes = \{[^}]*\};$/gm, "")
				.replaceAll(/= (createElementComponent\()/g, "= /* @__PURE__ */ $1")
				.replaceAll(/'checkoutSdk' in ctx \? ctx\.checkoutSdk : null/g, "null"),
	},
};

/** Vite's helper for dynamic imports preloads what they import. Ours import only what the page has already loaded. */
const noPreloads: Plugin = {
	name: "no-preloads",
	enforce: "pre",
	load: (id) => (id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : null),
};

const lastResort = `const RemixRootDefaultErrorBoundary = () =>
	React.createElement("html", null, React.createElement("body", null, "Something went wrong. Please load this page again."))`;

/** A file of React Router's production build. Its package names only the one for development, which warns. */
const production = (file: string) =>
	fileURLToPath(new URL(`./node_modules/react-router/dist/production/${file}`, import.meta.url));

export default defineConfig(({ command }) => ({
	plugins: [
		streamingRendererOnly,
		reachableRouterOnly,
		cardElementOnly,
		noPreloads,
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
		// the checkout is in the payment page's script; other pages import that to resume a payment
		rolldownOptions: { checks: { ineffectiveDynamicImport: false } },
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
								{ name: "shell", test: /app[\\/]root\.tsx/ },
								{ name: "item", test: /app[\\/](basket[\\/]line|ui[\\/]nothing-yet)\.tsx/ },
								{ name: "lines", test: /app[\\/]basket[\\/]lines\.tsx/ },
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
