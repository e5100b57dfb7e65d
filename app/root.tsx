import { type ReactNode, use, useEffect } from "react";
import { Outlet, Scripts, ScrollRestoration, useMatches, useNavigation, useRouteLoaderData } from "react-router";
import stylesheet from "./app.css?url";
import { customerRoute } from "./auth/use-customer.ts";
import headScript from "./before-hydration/head-script.ts?script";
import { barColors, pageTitle } from "./brand.ts";
import { useShowOutcomes } from "./checkout/show-outcomes.ts";
import { DocumentContext } from "./frame/document-context.ts";
import type { loader } from "./frame/every-page.tsx";
import { useFollowCustomer } from "./frame/follow-customer.ts";
import { FooterBar } from "./frame/footer-bar.tsx";
import { Header } from "./frame/header.tsx";
import { ProductData, removeFirstTags } from "./frame/page-tags.tsx";
import { tab } from "./tab/tab.ts";
import { Announcer, closeMessage } from "./ui/announcer.tsx";
import { focusHeading } from "./ui/focus-heading.ts";
import { useOnNavigation } from "./ui/on-navigation.ts";

/** Renders the document around the shop on the server. In the browser, React renders only the shop itself: a translator
 *  or a password manager may change the rest. */
export function Layout({ children }: { children: ReactNode }) {
	const rendered = import.meta.env.SSR ? use(DocumentContext) : undefined;
	const content = (
		<>
			{children}
			<ScrollRestoration id="scroll" nonce={rendered?.nonce} />
		</>
	);
	if (!rendered) return content;
	const { nonce, pages } = rendered;
	const list = { __html: JSON.stringify(pages) };
	return (
		<html lang="en">
			<head>
				<meta charSet="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				{/* apply-theme.ts sets both to the chosen theme's color */}
				<meta name="theme-color" content={barColors.light} media="(prefers-color-scheme: light)" />
				<meta name="theme-color" content={barColors.dark} media="(prefers-color-scheme: dark)" />
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
				{/* hidden once the script in the head has set the theme: a browser may run no scripts, or a proxy may forbid them */}
				<div className="scriptless">
					<p className="wrap">
						You can browse, sign in and see your orders without JavaScript. To use the basket and check out, open the
						shop itself with JavaScript allowed.
					</p>
				</div>
				<div id="shop">{content}</div>
				<ProductData />
				{/* biome-ignore lint/security/noDangerouslySetInnerHtml: file names and route ids of the build */}
				<script type="application/json" id="pages" nonce={nonce} dangerouslySetInnerHTML={list} />
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
	const loaded = useRouteLoaderData<typeof loader>(customerRoute);
	const customer = loaded?.customer;
	const route = useMatches().at(-1)?.id ?? "";
	const pending = useNavigation().state !== "idle";
	// pages render the customer from the loader's data, which the server has too; requests read the tab's copy
	useEffect(() => {
		if (customer !== undefined) tab.dispatch({ type: "SET_USER", user: customer });
	}, [customer]);
	useShowOutcomes();
	useFollowCustomer(loaded);
	useOnNavigation(() => {
		closeMessage();
		removeFirstTags();
		focusHeading();
	});
	// for hold-input.ts, after React's current work, so that each held click is rendered before the next
	useEffect(() => queueMicrotask(() => dispatchEvent(new Event("hydrated"))), []);
	return (
		<>
			{loaded?.notice && (
				<aside className="notice" aria-label="Notice">
					<p className="wrap">{loaded.notice}</p>
				</aside>
			)}
			{!withoutHeader.includes(route) && <Header />}
			<main id="main" tabIndex={-1} aria-busy={pending}>
				<Outlet />
				<Announcer customerId={customer === null ? null : customer?.id} />
			</main>
			{!withoutFooterBar.includes(route) && <FooterBar />}
		</>
	);
}

/** Replaces the whole shop if its frame fails to render. For other errors, the frame contains an error page. */
export function ErrorBoundary() {
	return (
		<main className="wrap page">
			<title>{pageTitle("Something went wrong")}</title>
			<h1>Something went wrong</h1>
			<p>Please load this page again.</p>
		</main>
	);
}
