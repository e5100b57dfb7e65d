import { useCallback, useEffect, useState } from "react";
import type { BasketItem } from "#app/basket/basket.ts";
import { type Asked, askForIntent } from "./payment-api.ts";

/** What this tab knows of its payment, for as long as the page lives: it outlasts the payment page, so that a tab that
 *  comes back never gets a second intent that could be charged. */
const tab: { clientSecret: string | null; buying: BasketItem[] } = { clientSecret: null, buying: [] };

/** Remembers what Buy Now is about to pay for: by the time it turns out to be paid, the basket may hold more. */
export function rememberBuying(items: BasketItem[]): void {
	tab.buying = items;
}

/** Forgets a payment that is done, and answers what it was for. */
export function forgetPaymentIntent(): BasketItem[] {
	const { buying } = tab;
	tab.clientSecret = null;
	tab.buying = [];
	return buying;
}

/** The PaymentIntent for a total in cents, asked for anew whenever the total changes; null until the answer is there.
 *  An answer that comes after a newer question is dropped. Asks for nothing while `wanted` is false. */
export function usePaymentIntent(total: number, wanted: boolean) {
	const [asked, setAsked] = useState<Asked | null>(null);
	const [attempt, setAttempt] = useState(0);

	// biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another question
	useEffect(() => {
		setAsked(null);
		if (!wanted || total === 0) return;
		const question = new AbortController();
		askForIntent(total, tab.clientSecret, question.signal).then((answer) => {
			if (question.signal.aborted) return;
			if ("clientSecret" in answer) tab.clientSecret = answer.clientSecret;
			setAsked(answer);
		});
		return () => question.abort();
	}, [total, wanted, attempt]);

	const askAgain = useCallback(() => setAttempt((attempt) => attempt + 1), []);
	return { asked, askAgain, clientSecret: tab.clientSecret };
}
