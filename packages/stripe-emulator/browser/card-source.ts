import { IntegrationError } from "./integration-error.ts";
import type { Delivery, Result } from "./messages.ts";
import { StripeElement } from "./stripe-element.ts";

/** Has a card Element's frame send the card and `form` to the API. Resolves to the API's result, or to `{ error }` if a
 *  field is incomplete or invalid. Rejects with an IntegrationError if the Element cannot supply a card. */
export async function deliverCard<Made>(
	card: unknown,
	to: Delivery["to"],
	form: Record<string, string>,
): Promise<Result<Made>> {
	if (!(card instanceof StripeElement) || (card.type !== "card" && card.type !== "cardNumber")) {
		throw new IntegrationError("card must be the card or the cardNumber Element that this page has mounted.");
	}
	const mounted = (type: string) => card.siblings.getElement(type)?.mounted;
	if (card.type === "card" ? mounted("cardNumber") : mounted("card")) {
		throw new IntegrationError("Mount either the card or the cardNumber Element, not both.");
	}
	return card.type === "card"
		? card.request({ say: "deliver", delivery: { to, form, parts: null } })
		: deliverInParts(card, to, form);
}

/** The frames of a split card are isolated from each other, so the expiry and security code are sent to the API first.
 *  The number's frame then sends their ids with the number. */
async function deliverInParts<Made>(
	number: StripeElement,
	to: Delivery["to"],
	form: Record<string, string>,
): Promise<Result<Made>> {
	const expiry = sibling(number, "cardExpiry");
	const cvc = sibling(number, "cardCvc");
	for (const { error } of await Promise.all(
		[number, expiry, cvc].map((element) => element.request({ say: "check" })),
	)) {
		if (error) return { error };
	}
	const key = form["key"] ?? "";
	const [first, second] = await Promise.all([
		expiry.request<string>({ say: "part", key }),
		cvc.request<string>({ say: "part", key }),
	]);
	if (first.error) return first;
	if (second.error) return second;
	const parts = { expiry: first.done, cvc: second.done };
	return number.request({ say: "deliver", delivery: { to, form, parts } });
}

function sibling(number: StripeElement, type: "cardExpiry" | "cardCvc"): StripeElement {
	const element = number.siblings.getElement(type);
	if (element?.mounted) return element;
	throw new IntegrationError(`A cardNumber Element needs a ${type} Element beside it, from the same elements().`);
}
