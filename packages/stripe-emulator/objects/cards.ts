/** Stripe's test cards and their outcomes. https://docs.stripe.com/testing */

export interface Decline {
	code: string;
	declineCode?: string;
	message: string;
	param?: string;
}

/** The outcome of payments with a card. The number itself is discarded, except for its brand and last four digits. */
export interface Outcome {
	/** Null if payments succeed. */
	decline: Decline | null;
	/** Whether 3-D Secure authentication is required. */
	authentication: boolean;
	/** Null if no security code was sent. */
	cvcCheck: "pass" | "fail" | null;
	/** pending: a refund is pending for a minute, then succeeds. fails: a refund succeeds, then fails after a
	 *  minute. */
	refund: "succeeds" | "pending" | "fails";
}

const pays: Outcome = { decline: null, authentication: false, cvcCheck: "pass", refund: "succeeds" };
const declined = (decline: Decline): Outcome => ({ ...pays, decline });
const cardDeclined = (declineCode: string, message = "Your card was declined."): Outcome =>
	declined({ code: "card_declined", declineCode, message });
const authenticates = (outcome: Outcome): Outcome => ({ ...outcome, authentication: true });

const insufficientFunds = cardDeclined("insufficient_funds", "Your card has insufficient funds.");
const expired = declined({ code: "expired_card", message: "Your card has expired.", param: "exp_month" });
const incorrectCvc: Outcome = {
	...declined({ code: "incorrect_cvc", message: "Your card's security code is incorrect.", param: "cvc" }),
	cvcCheck: "fail",
};
const processingError = declined({
	code: "processing_error",
	message: "An error occurred while processing your card. Try again in a little bit.",
});
const liveCard = cardDeclined(
	"test_mode_live_card",
	"Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.",
);

interface TestCard {
	/** Digits only. */
	number: string;
	label: string;
	/** The shared payment method that a server uses, because it may not send a number; null if there is none. */
	id: string | null;
	outcome: Outcome;
	funding: "credit" | "debit" | "prepaid";
}

function card(
	number: string,
	label: string,
	id: string | null,
	outcome = pays,
	funding: TestCard["funding"] = "credit",
) {
	return { number, label, id, outcome, funding };
}

export const testCards: readonly TestCard[] = [
	card("4242424242424242", "Visa", "pm_card_visa"),
	card("4000056655665556", "Visa, debit", "pm_card_visa_debit", pays, "debit"),
	card("5555555555554444", "Mastercard", "pm_card_mastercard"),
	card("2223003122003222", "Mastercard, 2-series", null),
	card("5200828282828210", "Mastercard, debit", "pm_card_mastercard_debit", pays, "debit"),
	card("5105105105105100", "Mastercard, prepaid", "pm_card_mastercard_prepaid", pays, "prepaid"),
	card("378282246310005", "American Express", "pm_card_amex"),
	card("6011111111111117", "Discover", "pm_card_discover"),
	card("3056930009020004", "Diners Club", "pm_card_diners"),
	card("36227206271667", "Diners Club, 14 digits", null),
	card("3566002020360505", "JCB", "pm_card_jcb"),
	card("6200000000000005", "UnionPay", "pm_card_unionpay"),
	card("6205500000000000004", "UnionPay, 19 digits", null),
	// a payment with a failed CVC check is not necessarily declined
	card("4000000000000101", "Failed CVC check", null, { ...pays, cvcCheck: "fail" }),
	card("4000000000007726", "Pending refund", "pm_card_pendingRefund", { ...pays, refund: "pending" }),
	card("4000000000005126", "Failed refund", "pm_card_refundFail", { ...pays, refund: "fails" }),
	card("4000000000003055", "3-D Secure, not required", "pm_card_threeDSecureOptional"),

	card("4000000000000002", "Generic decline", "pm_card_visa_chargeDeclined", cardDeclined("generic_decline")),
	card("4000000000009995", "Insufficient funds", "pm_card_visa_chargeDeclinedInsufficientFunds", insufficientFunds),
	card("4000000000009987", "Lost card", "pm_card_visa_chargeDeclinedLostCard", cardDeclined("lost_card")),
	card("4000000000009979", "Stolen card", "pm_card_visa_chargeDeclinedStolenCard", cardDeclined("stolen_card")),
	card(
		"4000000000006975",
		"Velocity limit exceeded",
		"pm_card_visa_chargeDeclinedVelocityLimitExceeded",
		cardDeclined("card_velocity_exceeded"),
	),
	card("4100000000000019", "Blocked as fraudulent", "pm_card_radarBlock", cardDeclined("fraudulent")),
	card("4000000000000069", "Expired card", "pm_card_chargeDeclinedExpiredCard", expired),
	card("4000000000000127", "Incorrect CVC", "pm_card_chargeDeclinedIncorrectCvc", incorrectCvc),
	card("4000000000000119", "Processing error", "pm_card_chargeDeclinedProcessingError", processingError),

	card("4000002760003184", "3-D Secure", "pm_card_authenticationRequired", authenticates(pays)),
	card("4000000000003220", "3-D Secure 2", "pm_card_threeDSecure2Required", authenticates(pays)),
	card(
		"4000008260003178",
		"3-D Secure, insufficient funds",
		"pm_card_authenticationRequiredChargeDeclinedInsufficientFunds",
		authenticates(insufficientFunds),
	),
	card(
		"4000008400001629",
		"3-D Secure, declined",
		"pm_card_threeDSecureRequiredChargeDeclined",
		authenticates(cardDeclined("generic_decline")),
	),
];

/** Returns the test card with this number or shared id. */
export function findCard(numberOrId: string): TestCard | undefined {
	return testCards.find(({ number, id }) => number === numberOrId || id === numberOrId);
}

/** Returns a card's outcome. Any number that is not a test card is declined, so that no real card is accepted. */
export function outcomeOf(digits: string, cvcGiven: boolean): Outcome {
	const outcome = findCard(digits)?.outcome ?? liveCard;
	return outcome === incorrectCvc && !cvcGiven ? pays : outcome;
}

/** Describes a card's outcome in words. */
export function describeOutcome({ decline, authentication, cvcCheck, refund }: Outcome): string {
	const before = authentication ? "requires 3-D Secure, then " : "";
	if (decline) {
		const { code, declineCode } = decline;
		const reason = declineCode === undefined ? code : `${code}, ${declineCode}`;
		return `${before}is declined: ${reason}${cvcCheck === "fail" ? ", if a security code is sent" : ""}`;
	}
	const check = cvcCheck === "fail" ? "; the security code check fails" : "";
	const later = {
		succeeds: "",
		pending: "; a refund is pending for a minute",
		fails: "; a refund fails after a minute",
	}[refund];
	return `${before}succeeds${check}${later}`;
}
