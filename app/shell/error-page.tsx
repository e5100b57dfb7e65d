import { startTransition, useEffect, useState } from "react";
import { isRouteErrorResponse, useMatches, useNavigate, useRevalidator } from "react-router";
import { pageTitle } from "#app/brand.ts";
import { isPaying } from "#app/tab/purchase.ts";
import { useTab } from "#app/tab/tab.ts";
import { focusHeading } from "#app/ui/focus-heading.ts";
import { Logo } from "#app/ui/logo.tsx";
import { Mark } from "#app/ui/mark.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { explanations, FailedRequest } from "./failed-request.ts";
import { forgetPage } from "./handle-failures.client.ts";

const basketKept = "Your basket is unchanged.";
const basketLost = "To keep your basket, go back: a reload empties it.";

/** Replaces a failed page, below the header. Before a reload that would empty the basket, offers to go back. */
export function ErrorPage({ error }: { error: unknown }) {
	const basket = useTab(({ basket }) => basket);
	const receipt = useTab(({ receipt }) => receipt);
	const hasPurchase = useTab(({ purchase }) => isPaying(purchase));
	const route = useMatches().at(-1)?.id;
	const reason = reasonOf(error);
	const { title, advice } = explanations[reason];
	const navigate = useNavigate();
	const { revalidate, state } = useRevalidator();
	const isBusy = state !== "idle";
	const [retries, setRetries] = useState(0);
	const details = [
		advice,
		basket.length > 0 && (reason === "unreachable" ? basketKept : basketLost),
		route === "routes/orders" && "Your orders are safe.",
	];

	useEffect(() => {
		if (!(error instanceof FailedRequest)) forgetPage();
	}, [error]);
	// if this page is removed while its button has focus, focuses the next page's heading
	useEffect(() => () => void (document.activeElement === document.body && focusHeading()), []);

	async function retry() {
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
							<span>{`You paid ${formatMoney(receipt.amount)}. Your order number is`}</span>{" "}
							<span translate="no">{receipt.id}</span>.
						</p>
					)}
					{hasPurchase && <p>We're checking your payment. Please don't pay again.</p>}
				</div>
				<p className="buttons">
					{reason === "unreachable" ? (
						<button type="button" className="button main" aria-disabled={isBusy} onClick={retry}>
							{isBusy ? "Trying again" : "Try again"}
						</button>
					) : basket.length > 0 ? (
						<>
							<button type="button" className="button main" onClick={() => navigate(-1)}>
								Go back
							</button>
							<button type="button" className="button" onClick={() => location.reload()}>
								Reload and empty the basket
							</button>
						</>
					) : (
						<button type="button" className="button main" onClick={() => location.reload()}>
							Reload
						</button>
					)}
				</p>
			</div>
		</div>
	);
}

function reasonOf(error: unknown): keyof typeof explanations {
	if (error instanceof FailedRequest) return error.reason;
	// the server could not reach D1
	return isRouteErrorResponse(error) && error.status === 503 ? "unreachable" : "broken";
}
