import { useShopping } from "#app/basket/app-state.tsx";
import { LineItems } from "#app/basket/line-items.tsx";
import { CardForm } from "#app/checkout/card-form.tsx";
import { log } from "#app/http/log.server.ts";
import { servicesContext } from "#app/services.server.ts";
import { PageTags } from "#app/shell/page-tags.tsx";
import { itemCount } from "#app/ui/item-count.ts";
import type { Route } from "./+types/payment";

/** Returns what the browser needs to load Stripe.js. `script` is null if Stripe keys are missing or invalid. */
export function loader({ context }: Route.LoaderArgs) {
	const { stripe } = context.get(servicesContext);
	if (!("missing" in stripe)) return { script: { publishableKey: stripe.publishableKey, scriptUrl: stripe.scriptUrl } };
	log("payments_not_configured", { missing: stripe.missing }, "error");
	return { script: null };
}

export default function Payment({ loaderData }: Route.ComponentProps) {
	const { basket, user } = useShopping();
	const { script } = loaderData;
	return (
		<div className="wrap page">
			<PageTags title="Checkout · Half Dozen" description="Check out and pay by card at Half Dozen." />
			<h1>Checkout ({itemCount(basket.length)})</h1>
			<div className="sheet">
				<section className="step">
					<h2>Delivery address</h2>
					<address>
						{user?.email ?? "Guest"}
						<br />6 Dozen Street
						<br />
						Half Moon Bay, CA 94019
					</address>
				</section>
				<section className="step">
					<h2>Review items</h2>
					<LineItems />
				</section>
				<section className="step">
					<h2>Payment method</h2>
					{script ? (
						<CardForm {...script} />
					) : (
						<p className="error">We can't take payments right now. Your basket is unchanged.</p>
					)}
				</section>
			</div>
		</div>
	);
}
