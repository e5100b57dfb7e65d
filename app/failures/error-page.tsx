import { startTransition, useEffect, useState } from "react";
import { useMatches, useRevalidator } from "react-router";
import { pageTitle } from "#app/brand.ts";
import { useReceipt } from "#app/orders/use-receipt.ts";
import { checkingNotice } from "#app/tab/purchase.ts";
import { loadDocument, useIsPaying, useTab } from "#app/tab/tab.ts";
import { focusHeading } from "#app/ui/focus-heading.ts";
import { Logo } from "#app/ui/logo.tsx";
import { Mark } from "#app/ui/mark.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { explanations, FailedRequest, readErrorResponse } from "./failed-request.ts";
import { forgetPage } from "./handle-failures.client.ts";

/** Replaces a failed page, below the header. */
export function ErrorPage({ error }: { error: unknown }) {
	const hasBasket = useTab(({ basket }) => basket.length > 0);
	const receipt = useReceipt();
	const isPaying = useIsPaying();
	const route = useMatches().at(-1)?.id;
	const explanation = error instanceof FailedRequest ? error.explanation : readErrorResponse(error);
	const isBroken = explanation === null;
	const { title, advice } = explanation ?? explanations.broken;
	const { revalidate, state } = useRevalidator();
	const isBusy = state !== "idle";
	const [retries, setRetries] = useState(0);
	const details = [
		advice,
		hasBasket && "Your basket is unchanged.",
		route === "routes/orders" && "Your orders are safe.",
	];

	useEffect(() => {
		if (!(error instanceof FailedRequest)) forgetPage();
		// such as a page of an earlier build with data of the latest one
		if (isBroken && !isFirstPage()) loadDocument();
	}, [error, isBroken]);
	// if this page is removed while its button has focus, focuses the next page's heading
	useEffect(() => () => void (document.activeElement === document.body && focusHeading()), []);

	async function retry() {
		if (isBroken) return loadDocument();
		if (isBusy) return;
		await revalidate();
		startTransition(() => setRetries(retries + 1));
	}

	return (
		<div className="wrap page">
			<title>{pageTitle(title)}</title>
			{route === "routes/login" && <Logo />}
			<div className="sheet empty-state">
				<Mark lit={5} />
				<h1>{title}</h1>
				<div role="alert">
					{/* screen readers announce a new element, even if its text is the same */}
					<p key={retries}>{details.filter(Boolean).join(" ")}</p>
					{route === "routes/orders" && receipt && (
						<p>
							<span>{`You paid ${formatMoney(receipt.amount, receipt.currency)}. Your order number is`}</span>{" "}
							<span translate="no">{receipt.id}</span>.
						</p>
					)}
					{isPaying && <p>{checkingNotice}</p>}
				</div>
				<p className="buttons">
					<button type="button" className="button main" aria-disabled={isBusy} onClick={retry}>
						{isBusy ? "Trying again" : "Try again"}
					</button>
				</p>
			</div>
		</div>
	);
}

/** Returns whether the document was loaded at its current address. Such a page is not loaded again, because it would
 *  fail again. */
function isFirstPage(): boolean {
	const { pathname, search } = new URL(performance.getEntriesByType("navigation")[0]?.name ?? location.href);
	return location.pathname + location.search === pathname + search;
}
