import { Link } from "react-router";
import { DeliveryAddress } from "#app/basket/delivery-address.tsx";
import { countItems, foldItems } from "#app/basket/fold-items.ts";
import { ItemList } from "#app/basket/item-list.tsx";
import { LineItems } from "#app/basket/line-items.tsx";
import { cardNotice, deliveryPrice, shopName } from "#app/brand.ts";
import { shortName } from "#app/catalogue/product.ts";
import { CardForm } from "#app/checkout/card-form.tsx";
import { PageTags } from "#app/frame/page-tags.tsx";
import { log } from "#app/http/log.server.ts";
import { requestContext } from "#app/http/request-context.server.ts";
import { useTab } from "#app/tab/tab.ts";
import { justPaid } from "#app/tab/tab-state.ts";
import { itemCount } from "#app/ui/item-count.ts";
import { pageStyles } from "#app/ui/page-styles.tsx";
import type { Route } from "./+types/payment";
import stylesheet from "./items.css?url";

const styles = pageStyles(stylesheet);

/** Returns what the browser needs to load Stripe.js. `script` is null if Stripe keys are missing. */
export function loader({ context }: Route.LoaderArgs) {
	const { stripe } = context.get(requestContext).services;
	if (!("missing" in stripe)) {
		const { publishableKey, scriptUrl } = stripe;
		// a server that replaces Stripe's does receive the card
		const note = scriptUrl === null ? "Stripe handles your card. It never reaches our server." : cardNotice;
		return { script: { publishableKey, scriptUrl }, note };
	}
	log("payments_not_configured", { missing: stripe.missing }, "error");
	return { script: null, note: "" };
}

export default function Payment({ loaderData }: Route.ComponentProps) {
	const items = useTab((state) => justPaid(state)?.items ?? state.basket);
	const { script, note } = loaderData;
	const lines = foldItems(items).map((line) => ({ ...line, title: shortName(line.title) }));
	// so that the card input fits in a phone's first window
	const folded = lines.slice(3);
	return (
		<div className="wrap page">
			<PageTags title="Checkout" description={`Check out and pay by card at ${shopName}.`} />
			{styles}
			<h1>{`Checkout (${itemCount(items.length)})`}</h1>
			<div className="sheet split">
				<section className="step">
					<header>
						<h2>Delivery address</h2>
						<p>{`Delivery: ${deliveryPrice}`}</p>
					</header>
					<DeliveryAddress />
				</section>
				<section className="step">
					<header>
						<h2>Review items</h2>
						{items.length > 0 && <Link to="/checkout">Edit basket</Link>}
					</header>
					<LineItems items={lines.slice(0, 3)} />
					{folded.length > 0 && (
						<details>
							<summary>{itemCount(countItems(folded), "more item")}</summary>
							<ItemList items={folded} />
						</details>
					)}
				</section>
				{script ? (
					<CardForm items={items} script={script} note={note} />
				) : (
					<section className="step">
						<h2>Payment method</h2>
						<p className="error">We can't take payments right now. Your basket is unchanged.</p>
					</section>
				)}
			</div>
		</div>
	);
}
