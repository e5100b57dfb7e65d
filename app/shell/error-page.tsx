import { useMatches, useRevalidator } from "react-router";
import { useShopping } from "#app/basket/app-state.tsx";
import { isPaying } from "#app/checkout/opened-checkout.ts";
import { Logo } from "#app/ui/logo.tsx";
import { explain, FailedRequest } from "./failed-request.ts";

/** Replaces a page that failed; the header, the basket and the purchase stay. A page whose code or data cannot be used needs
 *  a reload: when that would lose something, the shopper decides. */
export function ErrorPage({ error }: { error: unknown }) {
	const { basket } = useShopping();
	const { revalidate, state } = useRevalidator();
	const route = useMatches().at(-1)?.id;
	const reason = error instanceof FailedRequest ? error.reason : "broken";
	const { title, advice } = explain(reason);
	const needsReload = reason === "broken" || reason === "outdated";
	const hasPurchase = isPaying();
	const losesBasket = needsReload && (basket.length > 0 || hasPurchase);
	const isBusy = state !== "idle";

	function retry() {
		if (needsReload && !losesBasket) location.reload();
		else if (!isBusy) void revalidate();
	}

	return (
		<div className="wrap page">
			<title>{`${title} · Half Dozen`}</title>
			{route === "routes/login" && <Logo />}
			<h1>{title}</h1>
			<div className="sheet failure">
				<div role="alert">
					<p>
						{advice} {basket.length > 0 && "Your basket is unchanged."}{" "}
						{route === "routes/orders" && "Nothing you paid for is lost."}
					</p>
					{hasPurchase && <p>We're checking your payment. Please don't pay again.</p>}
				</div>
				<p className="buttons">
					<button type="button" className="button main" aria-disabled={isBusy} onClick={retry}>
						{isBusy ? "Trying again" : "Try again"}
					</button>
					{losesBasket && (
						<button type="button" className="button" onClick={() => location.reload()}>
							Reload and empty the basket
						</button>
					)}
				</p>
			</div>
		</div>
	);
}
