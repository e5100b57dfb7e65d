import {
	AddressElement,
	CardElement,
	Elements,
	LinkAuthenticationElement,
	PaymentElement,
	useElements,
	useStripe,
} from "@stripe/react-stripe-js";
import type { Stripe, StripeCardElementOptions, StripeElements, StripeElementsOptions } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { type FormEvent, type ReactNode, useState } from "react";
import { createRoot } from "react-dom/client";
import { PUBLISHABLE_KEY } from "../../keys.ts";

/** Merchants' pages that call Stripe.js as Stripe's public samples do: ?page= is a key of `pages`. Each pays or sets up
 *  the intent whose client secret is in the URL, and shows the result, or the page's message, in an <output>. */

const query = new URLSearchParams(location.search);
const clientSecret = query.get("client_secret") ?? "";
const options: object = JSON.parse(query.get("options") ?? "{}");
const returnUrl = `${location.origin}/test-page?page=return`;

/** Adds a form with containers for Elements, and returns a function that shows a result. */
function addForm(containers: string[], submit: (show: (result: unknown) => void) => Promise<void>) {
	const form = document.body.appendChild(document.createElement("form"));
	for (const id of containers) form.appendChild(document.createElement("div")).id = id;
	form.appendChild(document.createElement("button")).textContent = "Pay";
	const output = form.appendChild(document.createElement("output"));
	const show = (result: unknown) => {
		output.textContent = JSON.stringify(result);
	};
	form.addEventListener("submit", async (event) => {
		event.preventDefault();
		output.textContent = "";
		await submit(show);
	});
	return show;
}

async function openStripe(options?: { apiVersion?: string; locale?: "de" }): Promise<Stripe> {
	if (!window.Stripe) throw new Error("There is no Stripe.js at /stripe-emulator/stripe.js.");
	return window.Stripe(PUBLISHABLE_KEY, options);
}

/** A script with the Card Element. */
async function htmlCard(): Promise<void> {
	const stripe = await openStripe();
	const elements = stripe.elements();
	const card = elements.create("card");
	addForm(["card-element"], async (show) => {
		show(
			await stripe.confirmCardPayment(clientSecret, {
				payment_method: { card, billing_details: { name: "Jenny Rosen" } },
			}),
		);
	});
	card.mount("#card-element");
}

/** A script with the Payment Element, which navigates to the return page. */
async function htmlPayment(): Promise<void> {
	const stripe = await openStripe({ apiVersion: "2020-08-27" });
	const elements = stripe.elements({ clientSecret });
	const paymentElement = elements.create("payment");
	addForm(["payment-element"], async (show) => {
		show(await stripe.confirmPayment({ elements, confirmParams: { return_url: returnUrl } }));
	});
	paymentElement.mount("#payment-element");
}

/** The page that the customer returns to. */
async function htmlReturn(): Promise<void> {
	const stripe = await openStripe();
	const show = addForm([], async () => {});
	const secret = query.get("payment_intent_client_secret");
	const result = secret
		? await stripe.retrievePaymentIntent(secret)
		: await stripe.retrieveSetupIntent(query.get("setup_intent_client_secret") ?? "");
	show({ ...result, redirect_status: query.get("redirect_status") });
}

type Submit = (stripe: Stripe, elements: StripeElements) => Promise<unknown>;

function Form({ submit, children }: { submit: Submit; children: ReactNode }) {
	const stripe = useStripe();
	const elements = useElements();
	const [result, setResult] = useState<unknown>(null);
	const [isLoading, setIsLoading] = useState(false);
	const onSubmit = async (event: FormEvent) => {
		event.preventDefault();
		if (!stripe || !elements) return;
		setIsLoading(true);
		setResult(null);
		setResult(await submit(stripe, elements));
		setIsLoading(false);
	};
	return (
		<form onSubmit={onSubmit}>
			{children}
			<button type="submit" disabled={isLoading || !stripe || !elements}>
				Pay
			</button>
			<output>{result === null ? "" : JSON.stringify(result)}</output>
		</form>
	);
}

const cardOptions: StripeCardElementOptions = {
	iconStyle: "solid",
	style: {
		base: {
			iconColor: "#32325d",
			color: "#32325d",
			fontWeight: 500,
			fontFamily: "Roboto, Open Sans, Segoe UI, sans-serif",
			fontSize: "16px",
			fontSmoothing: "antialiased",
			":-webkit-autofill": { color: "#fce883" },
			"::placeholder": { color: "#6b7280" },
		},
		invalid: { iconColor: "#c0123c", color: "#c0123c" },
	},
};

function createPaymentMethod(stripe: Stripe, elements: StripeElements): Promise<unknown> {
	const card = elements.getElement(CardElement);
	if (!card) throw new Error("The page has no card Element.");
	const billing_details = { name: "Jenny Rosen", email: "jenny@example.com", phone: "" };
	return stripe.createPaymentMethod({ type: "card", card, billing_details });
}

const confirmPayment: Submit = (stripe, elements) =>
	stripe.confirmPayment({ elements, redirect: "if_required", confirmParams: { return_url: location.href } });

/** The deferred form: the intent exists only after the form is valid. */
const confirmDeferred: Submit = async (stripe, elements) => {
	const submitted = await elements.submit();
	if (submitted.error) return submitted;
	const confirmParams = { return_url: returnUrl };
	return stripe.confirmPayment({ elements, clientSecret, confirmParams, redirect: "if_required" });
};

/** Renders a React page and loads Stripe.js as it does. */
const react = (elementsOptions: StripeElementsOptions | undefined, submit: Submit, children: ReactNode) => () =>
	createRoot(document.body.appendChild(document.createElement("main"))).render(
		<Elements
			stripe={loadStripe(PUBLISHABLE_KEY)}
			{...(elementsOptions && { options: { ...elementsOptions, ...options } })}
		>
			<Form submit={submit}>{children}</Form>
		</Elements>,
	);

const deferred = { amount: 1499, currency: "usd" };

const pages: Record<string, () => unknown> = {
	empty: () => undefined,
	"html card": htmlCard,
	"html payment": htmlPayment,
	return: htmlReturn,
	"react card": react(undefined, createPaymentMethod, <CardElement />),
	"react card detailed": react(
		{ fonts: [{ cssSrc: "https://fonts.googleapis.com/css?family=Roboto" }] },
		createPaymentMethod,
		<CardElement options={cardOptions} />,
	),
	"react payment": react({ clientSecret, appearance: { theme: "stripe" } }, confirmPayment, <PaymentElement />),
	"react payment with link": react(
		{ clientSecret },
		(stripe, elements) => stripe.confirmPayment({ elements, confirmParams: { return_url: returnUrl } }),
		<>
			<LinkAuthenticationElement id="link-authentication-element" />
			<PaymentElement id="payment-element" />
		</>,
	),
	"react deferred": react({ mode: "payment", ...deferred }, confirmDeferred, <PaymentElement />),
	"react payment method": react(
		{ mode: "payment", ...deferred, paymentMethodCreation: "manual" },
		async (stripe, elements) => {
			const submitted = await elements.submit();
			if (submitted.error) return submitted;
			const params = { billing_details: { name: "Jenny Rosen" } };
			return stripe.createPaymentMethod({ elements, params });
		},
		<PaymentElement />,
	),
	"react address": react(
		{ clientSecret },
		confirmPayment,
		<>
			<AddressElement options={{ mode: "shipping" }} />
			<PaymentElement />
		</>,
	),
	"react setup": react(
		{ clientSecret, appearance: {} },
		(stripe, elements) => stripe.confirmSetup({ elements, confirmParams: { return_url: returnUrl } }),
		<PaymentElement />,
	),
	"html card setup": async () => {
		const stripe = await openStripe();
		const card = stripe.elements().create("card");
		addForm(["card-element"], async (show) => {
			show(
				await stripe.confirmCardSetup(clientSecret, {
					payment_method: { card, billing_details: { name: "Jenny Rosen" } },
				}),
			);
		});
		card.mount("#card-element");
	},
};

const script = document.createElement("script");
script.src = "/stripe-emulator/stripe.js";
script.onload = () => pages[query.get("page") ?? ""]?.();
document.head.appendChild(script);
