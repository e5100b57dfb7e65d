import { type FormEvent, type ReactNode, use, useEffect } from "react";
import { Outlet, ScrollRestoration, useMatches, useNavigation, useRouteLoaderData } from "react-router";
import stylesheet from "./app.css?url";
import { useFollowCustomer } from "./auth/follow-customer.ts";
import { ShoppingProvider, useShopping } from "./basket/app-state.tsx";
import { CheckoutOutcomes } from "./checkout/checkout-outcomes.tsx";
import { isPaying, mustStay, stayNotice } from "./checkout/opened-checkout.ts";
import { NonceContext } from "./http/nonce.ts";
import { useRetryRequests } from "./shell/retry-requests.ts";
import type { loader } from "./shell/shop.tsx";
import applyTheme from "./theme/apply-theme.js?raw";
import { ThemeButtons } from "./theme/theme.tsx";
import { Announcer, useAnnounce } from "./ui/announcer.tsx";
import { holdEarlyClicks, releaseEarlyClicks } from "./ui/early-clicks.ts";
import { FocusOnNavigation } from "./ui/focus-on-navigation.tsx";
import { FooterBar } from "./ui/footer-bar.tsx";
import { Header } from "./ui/header.tsx";
import { LateScripts } from "./ui/late-scripts.tsx";

/** What runs in the head, before anything is painted. Once React is there it has run: the browser's bundle goes without. */
const beforeReact = import.meta.env.SSR ? `${applyTheme}${holdEarlyClicks}` : "";

export function Layout({ children }: { children: ReactNode }) {
	const nonce = import.meta.env.SSR ? use(NonceContext) : undefined;
	const notice = useRouteLoaderData<typeof loader>("shell/shop")?.notice;
	return (
		// the theme's script sets data-theme before React is there
		<html lang="en" suppressHydrationWarning>
			<head>
				<meta charSet="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				{/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, which React would escape */}
				<script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: beforeReact }} />
				{/* nothing is painted before the page is there as far as this: what came later would move what is being read */}
				{import.meta.env.SSR && <link rel="expect" href="#scroll" blocking="render" />}
				<link rel="stylesheet" href={stylesheet} />
				<link rel="icon" href="/favicon.svg" type="image/svg+xml" />
			</head>
			<body>
				<noscript>
					{/* React does not render what a noscript holds in the browser */}
					{import.meta.env.SSR && (
						<p className="wrap">
							You can look around, sign in and see your orders without JavaScript. The basket and paying need it.
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
				{/* in the browser they have loaded already; React leaves what ends the body alone */}
				{import.meta.env.SSR && <LateScripts nonce={nonce} />}
			</body>
		</html>
	);
}

/** Everything that outlives a page, above every error boundary of the shop. */
export default function Root() {
	const shop = useRouteLoaderData<typeof loader>("shell/shop");
	const customer = shop?.customer ?? null;
	useFollowCustomer(shop && (customer?.id ?? null));
	useRetryRequests();
	useEffect(releaseEarlyClicks, []);
	useEffect(() => void unregisterServiceWorkers(), []);
	return (
		<Announcer>
			<ShoppingProvider user={customer} isLocked={isPaying}>
				<Frame>
					<Outlet />
				</Frame>
				<CheckoutOutcomes />
			</ShoppingProvider>
			<FocusOnNavigation />
		</Announcer>
	);
}

const withoutHeader = ["routes/login"];
const withoutFooterBar = ["routes/checkout", "routes/payment"];

/** Header and footer bar where the specification lists them. */
function Frame({ children }: { children: ReactNode }) {
	const { basket, user } = useShopping();
	const route = useMatches().at(-1)?.id ?? "";
	const pending = useNavigation().state !== "idle";
	const announce = useAnnounce();

	function onSignOut(event: FormEvent) {
		if (!mustStay()) return;
		event.preventDefault();
		announce(stayNotice);
	}

	return (
		<>
			{!withoutHeader.includes(route) && (
				<Header email={user?.email ?? null} basketCount={basket.length} onSignOut={onSignOut} />
			)}
			<main aria-busy={pending}>{children}</main>
			{!withoutFooterBar.includes(route) && (
				<FooterBar>
					<ThemeButtons />
				</FooterBar>
			)}
		</>
	);
}

/** An earlier version of the shop may have left one, which would go on serving that version. */
async function unregisterServiceWorkers(): Promise<void> {
	for (const registration of (await navigator.serviceWorker?.getRegistrations()) ?? []) await registration.unregister();
}
