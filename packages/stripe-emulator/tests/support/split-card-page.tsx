import {
	CardCvcElement,
	CardExpiryElement,
	CardNumberElement,
	Elements,
	useElements,
	useStripe,
} from "@stripe/react-stripe-js";
import type { Stripe, StripeCardNumberElement } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { type FormEvent, useState } from "react";
import { createRoot } from "react-dom/client";
import { PUBLISHABLE_KEY } from "../../keys.ts";

/** A merchant's page with split card fields. It pays the intent whose client secret is in the URL, and shows every
 *  result and event. */

type Act = (stripe: Stripe, card: StripeCardNumberElement, clientSecret: string) => Promise<unknown>;

const billing_details = { name: "Ada Lovelace", address: { line1: "6 Dozen Street", city: "London", country: "GB" } };

const acts: Record<string, Act> = {
	Pay: (stripe, card, secret) => stripe.confirmCardPayment(secret, { payment_method: { card, billing_details } }),
	"Pay without actions": (stripe, card, secret) =>
		stripe.confirmCardPayment(secret, { payment_method: { card } }, { handleActions: false }),
	"Handle the next action": (stripe, _card, clientSecret) => stripe.handleNextAction({ clientSecret }),
	"Handle the card action": (stripe, _card, clientSecret) => stripe.handleCardAction(clientSecret),
	"Create a payment method": (stripe, card) => stripe.createPaymentMethod({ type: "card", card, billing_details }),
	"Create a token": (stripe, card) => stripe.createToken(card),
	"Pay with a token": async (stripe, card, secret) => {
		const { token } = await stripe.createToken(card);
		return stripe.confirmCardPayment(secret, { payment_method: { card: { token: token?.id ?? "" } } });
	},
};

function SplitCard() {
	const stripe = useStripe();
	const elements = useElements();
	const [result, setResult] = useState<unknown>(null);
	const [events, setEvents] = useState<object[]>([]);
	const note = (event: object) => setEvents((noted) => [...noted, event]);

	async function run(act: Act | undefined) {
		const card = elements?.getElement(CardNumberElement);
		const secret = new URLSearchParams(location.search).get("client_secret") ?? "";
		if (!act || !stripe || !card) return setResult({ thrown: "The page is not ready." });
		setResult(null);
		setResult(await act(stripe, card, secret).catch((error: unknown) => ({ thrown: String(error) })));
	}

	function submit(event: FormEvent) {
		event.preventDefault();
		void run(acts["Pay"]);
	}

	return (
		<form onSubmit={submit}>
			<h1>Split card</h1>
			<CardNumberElement id="number" options={{ showIcon: true }} onChange={note} onNetworksChange={note} />
			<CardExpiryElement id="expiry" onChange={note} onEscape={() => note({ escape: true })} />
			<label htmlFor="cvc">Security code</label>
			<CardCvcElement id="cvc" options={{ placeholder: "Code" }} onChange={note} />
			<p>
				{Object.entries(acts).map(([name, act]) => (
					<button type="button" key={name} onClick={() => void run(act)}>
						{name}
					</button>
				))}
				<button type="submit">Submit</button>
			</p>
			<output>{JSON.stringify(result)}</output>
			<pre>{JSON.stringify(events)}</pre>
		</form>
	);
}

const script = document.createElement("script");
script.src = "/stripe-emulator/stripe.js";
script.onload = () => {
	const root = createRoot(document.body.appendChild(document.createElement("main")));
	root.render(
		<Elements stripe={loadStripe(PUBLISHABLE_KEY)}>
			<SplitCard />
		</Elements>,
	);
};
document.head.appendChild(script);
