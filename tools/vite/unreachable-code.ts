// Edits packages for the browser: removes code that the shop never runs but that the bundler cannot prove unused, and
// fixes one bug. All sizes are after brotli compression.
import type { Plugin } from "vite";
import { replaceInPackages } from "./replace-in-packages.ts";

/** Removes the legacy renderer, an eighth of the Worker, from React's server entry. */
export const streamingRendererOnly: Plugin = {
	name: "streaming-renderer-only",
	enforce: "pre",
	resolveId: (id) => (id.includes("/react-dom-server-legacy.") ? "\0no-renderer" : null),
	load: (id) => (id === "\0no-renderer" ? "export {};" : null),
};

const plainErrorPage = `const RemixRootDefaultErrorBoundary = () =>
	React.createElement("html", null, React.createElement("body", null, "Something went wrong. Please load this page again."));
	function RemixRootDefaultErrorBoundary_(`;

export const reachableRouterOnly = replaceInPackages("reachable-router-only", [
	{
		path: /react-router[\\/]dist[\\/]production[\\/]chunk-/,
		contains: "function createRouter(",
		replacements: [
			// saves 900 bytes: instrumentation
			[/\b(init|opts\??)\.instrumentations\b/g, "undefined"],
			// saves 1,010 bytes: unused components
			[/^(NavLink|HistoryRouter)\.displayName = .*/gm, ""],
			[/= (React\d*\.forwardRef\()/g, "= /* @__PURE__ */ $1"],
			// saves 2,360 bytes: the default hydration-fallback and root-error pages. The error page becomes one line
			// of text
			[/function (RemixRootDefaultHydrateFallback|DefaultErrorComponent)\(/g, "const $1 = null; function $1_("],
			[/function RemixRootDefaultErrorBoundary\(/g, plainErrorPage],
			// saves 490 bytes: route discovery, which react-router.config.ts turns off
			[/\binit\.patchRoutesOnNavigation\b(?! =)/g, "undefined"],
			[/if \((isFogOfWar|fogOfWar\.active( && fogOfWar\.matches)?)\) \{/g, "if (false) {"],
			// saves 1,610 bytes: loading of route modules, which app/shell/page-code.tsx does instead
			[/ else \{\s+if \(!route\.hasClientLoader\) \{[\s\S]*?\n {4}\}(?=\n {4}let children)/g, ""],
			[
				/let lazy(Middleware|Route)Promises? = loadLazyRoute(Property)?\([\s\S]*?\);/g,
				"let lazy$1Promises = {}, lazy$1Promise;",
			],
			[/await loadRouteModule\(route, routeModules\)/g, "routeModules[route.id]"],
			// saves 240 bytes: route stylesheets; the shop has one for all routes
			[/cachedModule \? prefetchStyleLinks\(route, cachedModule\) : /g, ""],
			// saves 290 bytes: URL, Map, Set and other types in loader data; the shop's loaders return JSON
			[/case TYPE_URL:[\s\S]*?(?=case TYPE_NULL_OBJECT:)/g, ""],
			// saves 330 bytes: React Server Components
			[/if \(this\.context( && typeof error === "object"[^{]*)?\) \{/g, "if (false) {"],
			// saves 780 bytes: warnings, which the development build prints
			[/^ +(?=warn(Once|ing)\()/gm, "$&/* @__PURE__ */ "],
			// adds 20 bytes: handles the rejection of `ready` when a navigation skips the transition of an earlier one
			[/^ +transition2\.finished\.finally\(/gm, "transition2.ready.catch(() => {});$&"],
		],
	},
	{
		path: /react-router[\\/]dist[\\/]production[\\/]dom-export/,
		contains: "function createHydratedRouter(",
		replacements: [
			// saves 40 bytes: route discovery
			[/^ {2}useFogOFWarDiscovery\([\s\S]*?\);$/gm, ""],
			[/patchRoutesOnNavigation: getPatchRoutesOnNavigationFunction\([\s\S]*?\n {4}\)/g, ""],
			// saves 180 bytes: hot module replacement
			[/router2\.createRoutesForHMR = [\s\S]*?;/g, ""],
		],
	},
]);

export const cardElementOnly = replaceInPackages("card-element-only", [
	{
		path: /stripe-js[\\/]dist[\\/]pure\.mjs$/,
		replacements: [
			// saves 160 bytes: load parameters
			[/^loadStripe\.setLoadParameters = [\s\S]*?^\};$/gm, ""],
		],
	},
	{
		path: /stripe-js[\\/]dist[\\/]react-stripe\.esm\.mjs$/,
		replacements: [
			// saves 390 bytes: array destructuring for old browsers
			[/_slicedToArray\(([\w$]+), 2\)/g, "$1"],
			// saves 120 bytes: prop types, which React 19 ignores
			[/^\s*\w+\.propTypes = \{[^}]*\};$/gm, ""],
			// saves 140 bytes: elements other than the card
			[/= (createElementComponent\()/g, "= /* @__PURE__ */ $1"],
			// saves 410 bytes: elements of Stripe's hosted checkout
			[/'checkoutSdk' in ctx \? ctx\.checkoutSdk : null/g, "null"],
		],
	},
]);
