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
	/** When 3-D Secure authentication is required. */
	authentication: "never" | "always" | "on_session";
	/** Null if no security code was sent. */
	cvcCheck: "pass" | "fail" | null;
	/** pending: a refund is pending for a minute, then succeeds. fails: a refund succeeds, then fails after a
	 *  minute. */
	refund: "succeeds" | "pending" | "fails";
}

const pays: Outcome = { decline: null, authentication: "never", cvcCheck: "pass", refund: "succeeds" };
const declined = (decline: Decline): Outcome => ({ ...pays, decline });
const cardDeclined = (declineCode: string, message = "Your card was declined."): Outcome =>
	declined({ code: "card_declined", declineCode, message });
const authenticates = (outcome: Outcome): Outcome => ({ ...outcome, authentication: "always" });

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

/** The decline of a card that requires authentication when authentication is not possible. */
export const authenticationRequired: Decline = {
	code: "authentication_required",
	declineCode: "authentication_required",
	message: "Your card was declined. This transaction requires authentication.",
};

const liveCard = cardDeclined(
	"test_mode_live_card",
	"Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.",
);

/** A card number for manual testing. */
export interface TestCard {
	/** Digits only. */
	number: string;
	label: string;
	outcome: Outcome;
}

export const testCards: readonly TestCard[] = [
	{ number: "4242424242424242", label: "Visa", outcome: pays },
	{ number: "4000056655665556", label: "Visa, debit", outcome: pays },
	{ number: "5555555555554444", label: "Mastercard", outcome: pays },
	{ number: "2223003122003222", label: "Mastercard, 2-series", outcome: pays },
	{ number: "5200828282828210", label: "Mastercard, debit", outcome: pays },
	{ number: "5105105105105100", label: "Mastercard, prepaid", outcome: pays },
	{ number: "378282246310005", label: "American Express", outcome: pays },
	{ number: "371449635398431", label: "American Express", outcome: pays },
	{ number: "6011111111111117", label: "Discover", outcome: pays },
	{ number: "3056930009020004", label: "Diners Club", outcome: pays },
	{ number: "36227206271667", label: "Diners Club, 14 digits", outcome: pays },
	{ number: "3566002020360505", label: "JCB", outcome: pays },
	{ number: "6200000000000005", label: "UnionPay", outcome: pays },
	// a payment with a failed CVC check is not necessarily declined
	{ number: "4000000000000101", label: "Wrong code, paid all the same", outcome: { ...pays, cvcCheck: "fail" } },
	{ number: "4000000000007726", label: "Refund takes its time", outcome: { ...pays, refund: "pending" } },
	{ number: "4000000000005126", label: "Refund fails", outcome: { ...pays, refund: "fails" } },
	{ number: "4000000000003055", label: "Knows 3-D Secure, does not ask", outcome: pays },
	// Stripe shows a CAPTCHA first; the emulator does not
	{ number: "4000000000001208", label: "Captcha at Stripe, none here", outcome: pays },

	{ number: "4000000000000002", label: "Declined", outcome: cardDeclined("generic_decline") },
	{ number: "4000000000000341", label: "Declined when charged", outcome: cardDeclined("generic_decline") },
	{ number: "4000000000009995", label: "Insufficient funds", outcome: insufficientFunds },
	{ number: "4000000000009987", label: "Lost card", outcome: cardDeclined("lost_card") },
	{ number: "4000000000009979", label: "Stolen card", outcome: cardDeclined("stolen_card") },
	{ number: "4000000000006975", label: "Used too often", outcome: cardDeclined("card_velocity_exceeded") },
	{ number: "4100000000000019", label: "Blocked as fraud", outcome: cardDeclined("fraudulent") },
	{ number: "4000000000000069", label: "Expired card", outcome: expired },
	{ number: "4000000000000127", label: "Wrong code", outcome: incorrectCvc },
	{ number: "4000000000000119", label: "Processing error", outcome: processingError },

	{ number: "4000002760003184", label: "3-D Secure, always", outcome: authenticates(pays) },
	{ number: "4000002500003155", label: "3-D Secure, unless set up", outcome: authenticates(pays) },
	{
		number: "4000003800000446",
		label: "3-D Secure, set up already",
		outcome: { ...pays, authentication: "on_session" },
	},
	{ number: "4000008260003178", label: "3-D Secure, no funds", outcome: authenticates(insufficientFunds) },
	{ number: "4000000000003220", label: "3-D Secure 2", outcome: authenticates(pays) },
	{
		number: "4000008400001629",
		label: "3-D Secure, declined after",
		outcome: authenticates(cardDeclined("generic_decline")),
	},
	{ number: "4000008400001280", label: "3-D Secure out of order", outcome: cardDeclined("generic_decline") },
];

const outcomes = new Map(testCards.map(({ number, outcome }) => [number, outcome]));

/** Describes a card's outcome in plain words. */
export function whatHappens({ decline, authentication, cvcCheck, refund }: Outcome): string {
	const authenticationText = {
		never: "",
		always: "asks for 3-D Secure, then ",
		on_session: "asks for 3-D Secure while the shopper is there, then ",
	}[authentication];
	if (decline) {
		const { code, declineCode } = decline;
		const reason = declineCode === undefined ? code : `${code}, ${declineCode}`;
		return `${authenticationText}declines: ${reason}${cvcCheck === "fail" ? ", if a security code is given" : ""}`;
	}
	const check = cvcCheck === "fail" ? "; the check of the security code fails" : "";
	const later = {
		succeeds: "",
		pending: "; a refund is pending for a minute",
		fails: "; a refund fails after a minute",
	}[refund];
	return `${authenticationText}pays${check}${later}`;
}

/** Returns the card's outcome. Any number that is not a test card is declined, so that no real card is accepted. */
export function outcomeOf(digits: string, cvcGiven: boolean): Outcome {
	const outcome = outcomes.get(digits) ?? liveCard;
	return outcome === incorrectCvc && !cvcGiven ? pays : outcome;
}

export function fundingOf(digits: string): "credit" | "debit" | "prepaid" {
	if (digits === "4000056655665556" || digits === "5200828282828210") return "debit";
	return digits === "5105105105105100" ? "prepaid" : "credit";
}

/** The card numbers of Stripe's shared test payment methods, which servers use because they may not send a number. */
export const sharedPaymentMethods: Readonly<Record<string, string>> = {
	pm_card_visa: "4242424242424242",
	pm_card_visa_debit: "4000056655665556",
	pm_card_mastercard: "5555555555554444",
	pm_card_mastercard_debit: "5200828282828210",
	pm_card_mastercard_prepaid: "5105105105105100",
	pm_card_amex: "378282246310005",
	pm_card_discover: "6011111111111117",
	pm_card_diners: "3056930009020004",
	pm_card_jcb: "3566002020360505",
	pm_card_unionpay: "6200000000000005",
	pm_card_pendingRefund: "4000000000007726",
	pm_card_refundFail: "4000000000005126",
	pm_card_visa_chargeDeclined: "4000000000000002",
	pm_card_chargeCustomerFail: "4000000000000341",
	pm_card_visa_chargeDeclinedInsufficientFunds: "4000000000009995",
	pm_card_visa_chargeDeclinedLostCard: "4000000000009987",
	pm_card_visa_chargeDeclinedStolenCard: "4000000000009979",
	pm_card_visa_chargeDeclinedVelocityLimitExceeded: "4000000000006975",
	pm_card_radarBlock: "4100000000000019",
	pm_card_chargeDeclinedExpiredCard: "4000000000000069",
	pm_card_chargeDeclinedIncorrectCvc: "4000000000000127",
	pm_card_chargeDeclinedProcessingError: "4000000000000119",
	pm_card_authenticationRequired: "4000002760003184",
	pm_card_authenticationRequiredOnSetup: "4000002500003155",
	pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: "4000008260003178",
	pm_card_threeDSecure2Required: "4000000000003220",
	pm_card_threeDSecureRequiredChargeDeclined: "4000008400001629",
	pm_card_threeDSecureOptional: "4000000000003055",
};
