import { CardElement, Elements, useElements, useStripe } from "@stripe/react-stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { type FormEvent, useState } from "react";
import { createRoot } from "react-dom/client";
import { PUBLISHABLE_KEY } from "../../keys.ts";

/** A merchant's page with a CardElement. It pays the intent whose client secret is in the URL, and shows the result and
 *  every event. */

const billing_details = { name: "Ada Lovelace", address: { line1: "6 Dozen Street", city: "London", country: "GB" } };

function CardPage() {
	const stripe = useStripe();
	const elements = useElements();
	const [result, setResult] = useState<unknown>(null);
	const [events, setEvents] = useState<object[]>([]);
	const note = (event: object) => setEvents((noted) => [...noted, event]);

	async function pay(event: FormEvent) {
		event.preventDefault();
		const card = elements?.getElement(CardElement);
		const secret = new URLSearchParams(location.search).get("client_secret") ?? "";
		if (!stripe || !card) return setResult({ thrown: "The page is not ready." });
		setResult(null);
		setResult(await stripe.confirmCardPayment(secret, { payment_method: { card, billing_details } }));
	}

	return (
		<form onSubmit={pay}>
			<label htmlFor="card">Card</label>
			<CardElement
				id="card"
				options={{ hidePostalCode: true }}
				onChange={note}
				onNetworksChange={note}
				onEscape={() => note({ escape: true })}
			/>
			<button type="submit">Pay</button>
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
			<CardPage />
		</Elements>,
	);
};
document.head.appendChild(script);
