import { type ReactNode, use, useEffect } from "react";
import {
	isRouteErrorResponse,
	Outlet,
	ScrollRestoration,
	useMatches,
	useNavigation,
	useRouteLoaderData,
} from "react-router";
import type { Route } from "./+types/root";
import stylesheet from "./app.css?url";
import { customerContext, identify } from "./auth/customer.server.ts";
import { useFollowCustomer } from "./auth/follow-customer.ts";
import { ShoppingProvider, useShopping } from "./basket/app-state.tsx";
import { CheckoutOutcomes } from "./checkout/checkout-outcomes.tsx";
import { isPaying } from "./checkout/opened-checkout.ts";
import { NonceContext } from "./http/nonce.ts";
import { outsideContext } from "./outside.server.ts";
import { applyTheme, ThemeButtons } from "./theme/theme.tsx";
import { Announcer } from "./ui/announcer.tsx";
import { holdEarlyClicks, releaseEarlyClicks } from "./ui/early-clicks.ts";
import { FocusOnNavigation } from "./ui/focus-on-navigation.tsx";
import { FooterBar } from "./ui/footer-bar.tsx";
import { Header } from "./ui/header.tsx";
import { LateScripts } from "./ui/late-scripts.tsx";

/** What runs in the head, before anything is painted. Once React is there it has run: the browser's bundle goes without. */
const beforeReact = import.meta.env.SSR ? applyTheme + holdEarlyClicks : "";

export const middleware: Route.MiddlewareFunction[] = [identify];

export function loader({ context }: Route.LoaderArgs) {
	const { notice } = context.get(outsideContext);
	return { customer: context.get(customerContext), notice };
}

export function Layout({ children }: { children: ReactNode }) {
	const nonce = import.meta.env.SSR ? use(NonceContext) : undefined;
	// here and not in Root, so that an error's page has it too
	const notice = useRouteLoaderData<typeof loader>("root")?.notice;
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

export default function Root({ loaderData }: Route.ComponentProps) {
	const { customer } = loaderData;
	useFollowCustomer(customer?.id ?? null);
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

/** Header and footer bar where the specification lists them: each route says so in its handle. */
function Frame({ children }: { children: ReactNode }) {
	const { basket, user } = useShopping();
	const { header, footerBar } = useFrame();
	const pending = useNavigation().state !== "idle";
	return (
		<>
			{header === true && <Header email={user?.email ?? null} basketCount={basket.length} />}
			<main aria-busy={pending}>{children}</main>
			{footerBar === true && (
				<FooterBar>
					<ThemeButtons />
				</FooterBar>
			)}
		</>
	);
}

function useFrame(): { header?: unknown; footerBar?: unknown } {
	return Object(useMatches().at(-1)?.handle);
}

/** An earlier version of the shop may have left one, which would go on serving that version. */
async function unregisterServiceWorkers(): Promise<void> {
	for (const registration of (await navigator.serviceWorker?.getRegistrations()) ?? []) await registration.unregister();
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
	const refused = isRouteErrorResponse(error);
	return (
		<main className="wrap page">
			<h1>{refused ? `${error.status} ${error.statusText}` : "Something went wrong"}</h1>
			<p className="sheet">
				{refused ? "We couldn't load this page." : "Something failed on our side. Please try again."}{" "}
				<a href="/">Back to the six things</a>
			</p>
		</main>
	);
}
