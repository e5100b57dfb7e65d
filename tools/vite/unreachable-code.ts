// Removes code from packages that the shop never runs but that the bundler cannot prove unused
// (docs/decisions/0014-bundle-size.md). All sizes are after brotli compression. Sizes of single rules vary by
// about 60 bytes, because removing a function also renames others.
import { fileURLToPath } from "node:url";
import { replaceDefinitions } from "./replace-definitions.ts";

const nodeModule = (file: string) => fileURLToPath(new URL(`../../node_modules/${file}`, import.meta.url));

/** Files that packages contain but do not export, for `resolve.alias` in builds. */
export const productionBuilds = [
	// saves 190 bytes, and the Worker prints no development warnings: the package exports only its development build
	{ find: /^react-router$/, replacement: nodeModule("react-router/dist/production/index.mjs") },
	{ find: /^react-router\/dom$/, replacement: nodeModule("react-router/dist/production/dom-export.mjs") },
	// an eighth of the Worker: the exported file also loads the renderer without streams
	{
		find: /^react-dom\/server\.node$/,
		replacement: nodeModule("react-dom/cjs/react-dom-server.node.production.js"),
	},
	// saves 290 bytes: prop types, which React 19 ignores
	{ find: /^prop-types$/, replacement: fileURLToPath(new URL("./prop-types.ts", import.meta.url)) },
];

/** Functions without side effects, for `treeshake.manualPureFunctions` in the browser build. */
export const pureFunctions = [
	// saves 2,000 bytes: React Router's checks for misuse, which `npm run dev` keeps
	...["warning", "warnOnce", "invariant", "invariant2"],
	// saves 130 bytes: Stripe's elements other than the card
	"createElementComponent",
];

export const reachableRouterOnly = replaceDefinitions("reachable-router-only", /node_modules[\\/]react-router[\\/]/, {
	// saves 860 bytes: instrumentation, which is given to HydratedRouter
	getRouteInstrumentationUpdates: "{}",
	instrumentClientSideRouter: "{}",
	// saves 1,410 bytes: the default pages. root.tsx has an error boundary, and no route loads during hydration
	RemixRootDefaultErrorBoundary: "{}",
	RemixRootDefaultHydrateFallback: "{}",
	DefaultErrorComponent: "{}",
	// saves 1,380 bytes: route discovery, which react-router.config.ts turns off
	getPatchRoutesOnNavigationFunction: "{}",
	useFogOFWarDiscovery: "{}",
	discoverRoutes: "{}",
	patchRoutesImpl: "{}",
	// saves 760 bytes: loading of route modules, which app/shell/page-code.tsx does, and of their stylesheets
	loadRouteModuleWithBlockingLinks: "{}",
	loadLazyRoute: "{ return {}; }",
	loadLazyRouteProperty: "() => undefined",
	loadLazyMiddlewareForMatches: "{}",
	prefetchStyleLinks: "{}",
	// saves 1,290 bytes: prefetching with link elements, in place of which app/ui/prefetch.ts uses fetch
	usePrefetchBehavior: "{ return []; }",
	PrefetchPageLinks: "{}",
	// saves 140 bytes: forms whose route has no action
	noActionDefinedError: "{}",
	// saves 210 bytes: React Server Components
	RSCErrorHandler: "{}",
	// saves 430 bytes: a component that the shop does not use, but whose display name is set
	NavLink: "{}",
});

export const cardElementOnly = replaceDefinitions(
	"card-element-only",
	/node_modules[\\/]@stripe[\\/]react-stripe-js[\\/]/,
	{
		// saves 380 bytes: destructuring of iterables other than arrays
		_slicedToArray: "{ return r; }",
		// saves 410 bytes: elements of Stripe's hosted checkout
		checkoutSdk: "null",
	},
);
