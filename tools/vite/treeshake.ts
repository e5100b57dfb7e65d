/** Lets the bundler leave out code of packages that the browser never runs (docs/decisions/0014-bundle-size.md). Sizes are
 *  after brotli compression. */
export const treeshake = {
	manualPureFunctions: [
		// saves 2,000 bytes: React Router's checks for misuse, which `npm run dev` keeps
		...["warning", "warnOnce", "invariant", "invariant2"],
		// saves 130 bytes: Stripe's elements other than the card
		"createElementComponent",
	],
} as const;
