/** The test cards and what becomes of a payment with each. https://docs.stripe.com/testing */

export interface Decline {
	code: string;
	declineCode?: string;
	message: string;
	param?: string;
}

/** What will become of a card's payments. It is all that is kept of a number besides brand and last four digits. */
export interface Outcome {
	/** Null for a card that pays. */
	decline: Decline | null;
	/** When the bank wants to hear from the cardholder first. */
	authentication: "never" | "always" | "on_session";
	cvcCheck: "pass" | "fail";
	/** Two cards' refunds change their mind a minute later: "pending" arrives then, "fails" comes back. */
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

/** The bank's answer when the cardholder is not there to authenticate. */
export const authenticationRequired: Decline = {
	code: "authentication_required",
	declineCode: "authentication_required",
	message: "Your card was declined. This transaction requires authentication.",
};

const liveCard = cardDeclined(
	"test_mode_live_card",
	"Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.",
);

const outcomes: Readonly<Record<string, Outcome>> = {
	"4242424242424242": pays,
	"4000056655665556": pays,
	"5555555555554444": pays,
	"2223003122003222": pays,
	"5200828282828210": pays,
	"5105105105105100": pays,
	"378282246310005": pays,
	"371449635398431": pays,
	"6011111111111117": pays,
	"3056930009020004": pays,
	"36227206271667": pays,
	"3566002020360505": pays,
	"6200000000000005": pays,
	// A code that does not match declines nothing by itself.
	"4000000000000101": { ...pays, cvcCheck: "fail" },
	"4000000000007726": { ...pays, refund: "pending" },
	"4000000000005126": { ...pays, refund: "fails" },
	// Knows 3-D Secure, does not ask for it.
	"4000000000003055": pays,
	// Stripe would show a captcha first, which a test account of one's own has no use for.
	"4000000000001208": pays,

	"4000000000000002": cardDeclined("generic_decline"),
	"4000000000000341": cardDeclined("generic_decline"),
	"4000000000009995": insufficientFunds,
	"4000000000009987": cardDeclined("lost_card"),
	"4000000000009979": cardDeclined("stolen_card"),
	"4000000000006975": cardDeclined("card_velocity_exceeded"),
	"4100000000000019": cardDeclined("fraudulent"),
	"4000000000000069": expired,
	"4000000000000127": incorrectCvc,
	"4000000000000119": processingError,

	"4000002760003184": authenticates(pays),
	"4000002500003155": authenticates(pays),
	"4000003800000446": { ...pays, authentication: "on_session" },
	"4000008260003178": authenticates(insufficientFunds),
	"4000000000003220": authenticates(pays),
	"4000008400001629": authenticates(cardDeclined("generic_decline")),
	"4000008400001280": cardDeclined("generic_decline"),
};

/** Anything that is not a test card is declined, so that nobody can put a real one in here. */
export function outcomeOf(digits: string, cvcGiven: boolean): Outcome {
	const outcome = outcomes[digits] ?? liveCard;
	return outcome === incorrectCvc && !cvcGiven ? pays : outcome;
}

export function fundingOf(digits: string): "credit" | "debit" | "prepaid" {
	if (digits === "4000056655665556" || digits === "5200828282828210") return "debit";
	return digits === "5105105105105100" ? "prepaid" : "credit";
}

/** The payment methods that every test account has, for servers that may not see a card number. */
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
