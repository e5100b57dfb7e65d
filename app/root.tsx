import { type ReactNode, use, useEffect } from "react";
import { Outlet, Scripts, ScrollRestoration, useMatches, useNavigation, useRouteLoaderData } from "react-router";
import stylesheet from "./app.css?url";
import { NonceContext } from "./http/document.ts";
import { useFollowCustomer } from "./shell/follow-customer.ts";
import { FooterBar } from "./shell/footer-bar.tsx";
import type { loader } from "./shell/frame.tsx";
import headScript from "./shell/head-script.ts?script";
import { Header } from "./shell/header.tsx";
import { ProductData } from "./shell/page-tags.tsx";
import { useShowOutcomes } from "./shell/show-outcomes.ts";
import { tab } from "./tab/tab.ts";
import { Announcer } from "./ui/announcer.tsx";
import { useFocusOnNavigation } from "./ui/focus-on-navigation.ts";

/** Renders the document around the shop on the server. In the browser, React renders only the shop itself: a translator or
 *  a password manager may change the rest. */
export function Layout({ children }: { children: ReactNode }) {
	const nonce = import.meta.env.SSR ? use(NonceContext) : undefined;
	const shop = (
		<>
			{children}
			<ScrollRestoration id="scroll" nonce={nonce} />
		</>
	);
	return import.meta.env.SSR ? <Document nonce={nonce}>{shop}</Document> : shop;
}

function Document({ children, nonce }: { children: ReactNode; nonce: string | undefined }) {
	return (
		<html lang="en">
			<head>
				<meta charSet="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				{/* the color of the browser's own bars: --bar in tokens.css. apply-theme.js follows the theme buttons */}
				<meta name="theme-color" content="#141c26" media="(prefers-color-scheme: light)" />
				<meta name="theme-color" content="#0a0f15" media="(prefers-color-scheme: dark)" />
				{/* for Safari and crawlers, which do not support SVG icons */}
				<link rel="icon" href="/favicon.ico" sizes="32x32" />
				<link rel="icon" href="/favicon.svg" type="image/svg+xml" />
				<link rel="apple-touch-icon" href="/apple-touch-icon.png" />
				{/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, which React would escape */}
				<script nonce={nonce} dangerouslySetInnerHTML={{ __html: headScript }} />
				{/* delays the first paint until #scroll is parsed, so that later parts cause no layout shift */}
				<link rel="expect" href="#scroll" blocking="render" />
				<link rel="stylesheet" href={stylesheet} precedence="app" />
			</head>
			<body>
				<noscript>
					<p className="wrap">
						You can browse, sign in and see your orders without JavaScript. To use the basket and check out, turn it on.
					</p>
				</noscript>
				<div id="shop">{children}</div>
				<ProductData nonce={nonce} />
				<Scripts nonce={nonce} />
			</body>
		</html>
	);
}

const withoutHeader = ["routes/login"];
const withoutFooterBar = ["routes/checkout", "routes/payment"];

/** Renders everything that stays mounted across pages, above every error boundary of the shop. The header and the
 *  footer bar appear on the pages for which the specification lists them. */
export default function Root() {
	const shop = useRouteLoaderData<typeof loader>("shell/frame");
	const customer = shop?.customer;
	const route = useMatches().at(-1)?.id ?? "";
	const pending = useNavigation().state !== "idle";
	// pages render the customer from the loader's data, which the server has too; requests read the tab's copy
	useEffect(() => {
		if (customer !== undefined) tab.dispatch({ type: "SET_USER", user: customer });
	}, [customer]);
	useShowOutcomes();
	useFollowCustomer(shop);
	useFocusOnNavigation();
	// after React's current work, so that each held click is rendered before the next
	useEffect(() => queueMicrotask(() => dispatchEvent(new Event("hydrated"))), []);
	return (
		<>
			{shop?.notice && (
				<aside className="notice" aria-label="Notice">
					<p className="wrap">{shop.notice}</p>
				</aside>
			)}
			{!withoutHeader.includes(route) && <Header />}
			<main id="main" tabIndex={-1} aria-busy={pending}>
				<Outlet />
				<Announcer customerId={customer?.id} />
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
