import { type ReactNode, use, useEffect } from "react";
import { Outlet, Scripts, ScrollRestoration, useMatches, useNavigation, useRouteLoaderData } from "react-router";
import stylesheet from "./app.css?url";
import { NonceContext } from "./http/document.ts";
import { useFollowCustomer } from "./shell/follow-customer.ts";
import { FooterBar } from "./shell/footer-bar.tsx";
import { Header } from "./shell/header.tsx";
import { ProductData } from "./shell/page-tags.tsx";
import type { loader } from "./shell/shop.tsx";
import { useShowOutcomes } from "./shell/show-outcomes.ts";
import { wrapApis } from "./shell/wrap-apis.ts";
import { tab } from "./tab/tab.ts";
import applyTheme from "./theme/apply-theme.js?raw";
import { Announcer } from "./ui/announcer.tsx";
import { holdEarlyClicks, releaseEarlyClicks } from "./ui/early-clicks.ts";
import { useFocusOnNavigation } from "./ui/focus-on-navigation.ts";

/** A script that runs in the head, before the first paint. The browser's bundle omits it, because it has run by the
 *  time React hydrates. */
const beforeReact = import.meta.env.SSR ? `${applyTheme}${holdEarlyClicks}${wrapApis}` : "";

export function Layout({ children }: { children: ReactNode }) {
	const nonce = import.meta.env.SSR ? use(NonceContext) : undefined;
	const notice = useRouteLoaderData<typeof loader>("shell/shop")?.notice;
	return (
		// the inline script sets data-theme before hydration
		<html lang="en" suppressHydrationWarning>
			<head>
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				{import.meta.env.SSR && <FixedTags />}
				{/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, which React would escape */}
				<script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: beforeReact }} />
				{/* delays the first paint until #scroll is parsed, so that later parts cause no layout shift */}
				{import.meta.env.SSR && <link rel="expect" href="#scroll" blocking="render" />}
				<link rel="stylesheet" href={stylesheet} precedence="app" />
			</head>
			<body>
				<noscript>
					{/* in the browser, React does not render the children of a noscript */}
					{import.meta.env.SSR && (
						<p className="wrap">
							You can browse, sign in and see your orders without JavaScript. To use the basket and check out, turn it
							on.
						</p>
					)}
				</noscript>
				{notice && (
					<aside className="notice" aria-label="Notice">
						<p className="wrap">{notice}</p>
					</aside>
				)}
				{children}
				<ScrollRestoration id="scroll" nonce={nonce} />
				{/* hydration ignores extra elements at the end of the body */}
				{import.meta.env.SSR && <ProductData nonce={nonce} />}
				{/* the browser has already loaded them */}
				{import.meta.env.SSR && <Scripts nonce={nonce} />}
			</body>
		</html>
	);
}

/** Renders the tags in the head that never change, on the server only. */
function FixedTags() {
	return (
		<>
			<meta charSet="utf-8" />
			{/* the color of the browser's own bars: --bar in tokens.css. apply-theme.js follows the theme buttons */}
			<meta name="theme-color" content="#141c26" media="(prefers-color-scheme: light)" />
			<meta name="theme-color" content="#0a0f15" media="(prefers-color-scheme: dark)" />
			{/* for Safari and crawlers, which do not support SVG icons */}
			<link rel="icon" href="/favicon.ico" sizes="32x32" />
			<link rel="icon" href="/favicon.svg" type="image/svg+xml" />
			<link rel="apple-touch-icon" href="/apple-touch-icon.png" />
		</>
	);
}

const withoutHeader = ["routes/login"];
const withoutFooterBar = ["routes/checkout", "routes/payment"];

/** Renders everything that stays mounted across pages, above every error boundary of the shop. The header and the
 *  footer bar appear on the pages for which the specification lists them. */
export default function Root() {
	const shop = useRouteLoaderData<typeof loader>("shell/shop");
	const customer = shop?.customer ?? null;
	const route = useMatches().at(-1)?.id ?? "";
	const pending = useNavigation().state !== "idle";
	// pages render the customer from the loader's data, which the server has too; requests read the tab's copy
	useEffect(() => tab.dispatch({ type: "SET_USER", user: customer }), [customer]);
	useShowOutcomes();
	useFollowCustomer(shop);
	useFocusOnNavigation();
	useEffect(releaseEarlyClicks, []);
	return (
		<>
			{!withoutHeader.includes(route) && <Header hasCustomer={Boolean(shop)} />}
			{/* before the page, so that its actions are near the top in the tab order */}
			<Announcer customerId={customer?.id} />
			<main id="main" tabIndex={-1} aria-busy={pending}>
				<Outlet />
			</main>
			{!withoutFooterBar.includes(route) && <FooterBar />}
		</>
	);
}

/** Replaces the whole shop if its frame fails to render. For other errors, the frame contains an error page. */
export function ErrorBoundary() {
	return (
		<main className="wrap page">
			<title>Something went wrong · Half Dozen</title>
			<h1>Something went wrong</h1>
			<p>Please load this page again.</p>
		</main>
	);
}
