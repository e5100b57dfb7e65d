import type { Plugin } from "vite";

// What the shop never reaches of its packages, and no bundler can know. Each replacement must find its text, so that an
// upgrade that changes it fails the build.

/** React's server entry brings two renderers. The second is never used, and would be an eighth of the Worker. */
export const streamingRendererOnly: Plugin = {
	name: "streaming-renderer-only",
	enforce: "pre",
	resolveId: (id) => (id.includes("/react-dom-server-legacy.") ? "\0no-renderer" : null),
	load: (id) => (id === "\0no-renderer" ? "export {};" : null),
};

const lastResort = `const RemixRootDefaultErrorBoundary = () =>
	React.createElement("html", null, React.createElement("body", null, "Something went wrong. Please load this page again."));
	function RemixRootDefaultErrorBoundary_(`;

/** Of React Router: what instruments a router; components that are merely named; whole pages for a first load that waits
 *  and for an error in the root route's Layout; routes that are discovered or imported by the router, which the manifest
 *  and app/shell/page-code.tsx do; stylesheets of routes; React Server Components; hot replacement; URLs, maps, sets and
 *  the like in a loader's data, which is JSON. */
export const reachableRouterOnly = leaveOut("reachable-router-only", [
	{
		file: /react-router[\\/]dist[\\/]production[\\/]chunk-/,
		holds: "function createRouter(",
		replacements: [
			[/\b(init|opts\??)\.instrumentations\b/g, "undefined"],
			[/^(NavLink|HistoryRouter)\.displayName = .*/gm, ""],
			[/= (React\d*\.forwardRef\()/g, "= /* @__PURE__ */ $1"],
			[/function (RemixRootDefaultHydrateFallback|DefaultErrorComponent)\(/g, "const $1 = null; function $1_("],
			[/function RemixRootDefaultErrorBoundary\(/g, lastResort],
			[/\binit\.patchRoutesOnNavigation\b(?! =)/g, "undefined"],
			[/if \((isFogOfWar|fogOfWar\.active( && fogOfWar\.matches)?)\) \{/g, "if (false) {"],
			[/\bisFogOfWarEnabled\(routeDiscovery, ssr\)(?! \{)/g, "false"],
			[/ else \{\s+if \(!route\.hasClientLoader\) \{[\s\S]*?\n {4}\}(?=\n {4}let children)/g, ""],
			[
				/let lazy(Middleware|Route)Promises? = loadLazyRoute(Property)?\([\s\S]*?\);/g,
				"let lazy$1Promises = {}, lazy$1Promise;",
			],
			[/await loadRouteModule\(route, routeModules\)/g, "routeModules[route.id]"],
			[/cachedModule \? prefetchStyleLinks\(route, cachedModule\) : /g, ""],
			[/case TYPE_URL:[\s\S]*?(?=case TYPE_NULL_OBJECT:)/g, ""],
			[/if \(this\.context( && typeof error === "object"[^{]*)?\) \{/g, "if (false) {"],
		],
	},
	{
		file: /react-router[\\/]dist[\\/]production[\\/]dom-export/,
		holds: "function createHydratedRouter(",
		replacements: [
			[/^ {2}useFogOFWarDiscovery\([\s\S]*?\);$/gm, ""],
			[/patchRoutesOnNavigation: getPatchRoutesOnNavigationFunction\([\s\S]*?\n {4}\)/g, ""],
			[/router2\.createRoutesForHMR = [\s\S]*?;/g, ""],
		],
	},
]);

/** Of Stripe's browser packages: types of props, which React 19 ignores, elements other than the card, elements in a
 *  checkout that Stripe hosts, parameters for loading Stripe.js, and helpers for browsers that cannot destructure. */
export const cardElementOnly = leaveOut("card-element-only", [
	{
		file: /stripe-js[\\/]dist[\\/]pure\.mjs$/,
		replacements: [
			[/^loadStripe\.setLoadParameters = [\s\S]*?^\};$/gm, "const params = undefined;"],
			[/Script\((?:params|loadParams)\)/g, "Script()"],
		],
	},
	{
		file: /stripe-js[\\/]dist[\\/]react-stripe\.esm\.mjs$/,
		replacements: [
			[/_slicedToArray\(([\w$]+), 2\)/g, "$1"],
			[/import PropTypes from 'prop-types';/g, ""],
			[/^\s*\w+\.propTypes = \{[^}]*\};$/gm, ""],
			[/= (createElementComponent\()/g, "= /* @__PURE__ */ $1"],
			[/'checkoutSdk' in ctx \? ctx\.checkoutSdk : null/g, "null"],
		],
	},
]);

interface Source {
	file: RegExp;
	/** The file is that of those which holds this text. */
	holds?: string;
	replacements: [RegExp, string][];
}

function leaveOut(name: string, sources: Source[]): Plugin {
	return {
		name,
		enforce: "pre",
		applyToEnvironment: ({ name }) => name === "client",
		transform: {
			filter: { id: sources.map(({ file }) => file) },
			handler(code, id) {
				const source = sources.find(({ file, holds = "" }) => file.test(id) && code.includes(holds));
				return source?.replacements.reduce((code, [text, replacement]) => {
					if (code.search(text) < 0) throw new Error(`${id} no longer holds ${text}, which ${name} leaves out.`);
					return code.replaceAll(text, replacement);
				}, code);
			},
		},
	};
}
