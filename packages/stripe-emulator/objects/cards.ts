import { cardGroups, liveCard, pays, type TestCard } from "./test-cards.ts";

/** The outcomes of Stripe's test cards. https://docs.stripe.com/testing */

export interface Decline {
	code: string;
	declineCode?: string;
	message: string;
	param?: string;
}

/** The dispute that follows a successful charge. */
export interface DisputePlan {
	/** Stripe's reason, such as "fraudulent". */
	reason: string;
	caseType: "chargeback" | "compliance" | "inquiry";
	/** How many disputes share the amount of the charge; 1 if absent. */
	count?: number;
	eligibility?: "mastercard_compliance" | "visa_compelling_evidence_3" | "visa_compliance";
}

/** The outcome of payments with a card. The number itself is discarded, except for its brand and last four digits. */
export interface Outcome {
	/** Null if payments succeed. */
	decline: Decline | null;
	/** When 3-D Secure authentication is required; see `requiresChallenge`.
	 *  unless_set_up: every on-session payment, and off-session payments if the card is not set up.
	 *  on_session: every on-session payment; the card counts as set up.
	 *  on_request, fails_on_request: only if the payment requests it; then it works or fails.
	 *  frictionless: every payment, without the cardholder. */
	authentication:
		| "never"
		| "always"
		| "unless_set_up"
		| "on_session"
		| "on_request"
		| "fails_on_request"
		| "frictionless";
	/** Null if no security code was sent. */
	cvcCheck: "pass" | "fail" | null;
	/** Absent: the check passes. Both are checked only if the billing address contains the field. */
	line1Check?: "fail" | "unavailable";
	postalCodeCheck?: "fail" | "unavailable";
	/** pending: a refund is pending for a minute, then succeeds. fails: a refund succeeds, then fails after a
	 *  minute. */
	refund: "succeeds" | "pending" | "fails";
	/** The risk level; normal if absent. */
	risk?: "elevated" | "highest";
	/** Whether Radar, not the issuer, declines. */
	blocked?: true;
	/** Whether attaching the card to a customer is declined, too. */
	attach?: "declines";
	/** Whether a payment's funds are available immediately; pending if absent. */
	funds?: "available";
	/** What follows a successful charge: a dispute, or an early fraud warning. */
	dispute?: DisputePlan | "warning";
}

/** The decline of a card that requires authentication when authentication is not possible. */
export const authenticationRequired: Decline = {
	code: "authentication_required",
	declineCode: "authentication_required",
	message: "Your card was declined. This transaction requires authentication.",
};

export const testCards: readonly TestCard[] = cardGroups.flatMap(({ cards }) => cards);

const cardsByNumber = new Map(testCards.map((card) => [card.number, card]));

type SharedCard = Pick<TestCard, "number" | "outcome">;

/** The numbers and outcomes of Stripe's shared PaymentMethods (pm_card_…) and tokens (tok_…), by id. Servers use them
 *  because they may not send a number. */
export const sharedIds: ReadonlyMap<string, SharedCard> = new Map<string, SharedCard>([
	...testCards.flatMap((card) => idsOf(card).map((id) => [id, card] as const)),
	...cardGroups.flatMap(({ tokens }) => tokens.map((card) => [`tok_${card.token}`, card] as const)),
]);

function idsOf({ names, tokens }: TestCard): string[] {
	return [...names.map((name) => `pm_card_${name}`), ...[...names, ...tokens].map((name) => `tok_${name}`)];
}

/** Returns the card's data. A number that is not a test card is a US credit card that declines, so that no real card is
 *  accepted. */
export function cardOf(digits: string): Omit<TestCard, "label" | "names" | "tokens"> {
	const unknown = { number: digits, country: "US", funding: "credit", coBrand: null, outcome: liveCard } as const;
	return cardsByNumber.get(digits) ?? unknown;
}

export function isTestCard(digits: string): boolean {
	return cardsByNumber.has(digits);
}

/** Returns the outcome of a card whose security code was sent or not: a code that was not sent is not checked. */
export function withCvc(outcome: Outcome, cvcGiven: boolean): Outcome {
	if (cvcGiven) return outcome;
	const { decline, ...rest } = outcome.decline?.code === "incorrect_cvc" ? pays : outcome;
	return { ...rest, decline, cvcCheck: null };
}

/** Returns the decline of attaching the card to a customer; null if the card can be attached. */
export function declineWhenAttached({ attach, decline }: Outcome): Decline | null {
	return attach === "declines" ? decline : null;
}

/** The circumstances of a payment. */
export interface PaymentContext {
	offSession: boolean;
	/** Whether the card has been set up for off-session payments. */
	isSetUp?: boolean;
	/** Whether the payment requests 3-D Secure. */
	isRequested?: boolean;
}

/** Returns whether the cardholder must authenticate before the payment. */
export function requiresChallenge(
	{ authentication }: Outcome,
	{ offSession, isSetUp = false, isRequested = false }: PaymentContext,
): boolean {
	switch (authentication) {
		case "always":
			return true;
		case "unless_set_up":
			return !offSession || !isSetUp;
		case "on_session":
			return !offSession;
		case "on_request":
			return isRequested && !offSession;
		case "never":
		case "fails_on_request":
		case "frictionless":
			return false;
	}
}

const authentications: Record<Outcome["authentication"], [before: string, after: string]> = {
	never: ["", ""],
	always: ["requires 3-D Secure, then ", ""],
	unless_set_up: ["requires 3-D Secure, off session only until it is set up, then ", ""],
	on_session: ["requires 3-D Secure on session, then ", ""],
	on_request: ["", "; supports 3-D Secure"],
	fails_on_request: ["", "; 3-D Secure, if requested, fails"],
	frictionless: ["authenticates without a challenge, then ", ""],
};

/** Describes a card's outcome in plain words. */
export function whatHappens(outcome: Outcome): string {
	const { decline, authentication, cvcCheck, blocked } = outcome;
	const [before, after] = authentications[authentication];
	if (decline) {
		const { code, declineCode } = decline;
		const reason = declineCode === undefined ? code : `${code}, ${declineCode}`;
		const cvc = cvcCheck === "fail" ? ", if a security code is given" : "";
		return `${before}${blocked ? "is blocked by Radar" : "declines"}: ${reason}${cvc}`;
	}
	const details = [...checks(outcome), ...risks(outcome), ...later(outcome)];
	return `${before}pays${details.map((detail) => `; ${detail}`).join("")}${after}`;
}

function checks({ cvcCheck, line1Check, postalCodeCheck }: Outcome): string[] {
	const all = { "security code": cvcCheck, "line 1": line1Check, "postal code": postalCodeCheck };
	return Object.entries(all).flatMap(([field, check]) => {
		if (check === "fail") return [`the ${field} check fails, if given`];
		return check === "unavailable" ? [`the ${field} check is unavailable`] : [];
	});
}

function risks({ risk }: Outcome): string[] {
	return risk ? [`the risk level is ${risk}`] : [];
}

function later({ dispute, funds, refund }: Outcome): string[] {
	return [
		...(refund === "pending" ? ["a refund is pending for a minute"] : []),
		...(refund === "fails" ? ["a refund fails after a minute"] : []),
		...(funds === "available" ? ["the funds are available immediately"] : []),
		...(dispute === undefined ? [] : [disputeText(dispute)]),
	];
}

function disputeText(dispute: DisputePlan | "warning"): string {
	if (dispute === "warning") return "then an early fraud warning is created";
	const { caseType, count = 1, eligibility, reason } = dispute;
	const times = count === 1 ? "" : `${count} times `;
	const eligible = eligibility ? `, eligible for ${eligibility}` : "";
	return caseType === "inquiry"
		? `then an inquiry is opened as ${reason}`
		: `then it is disputed ${times}as ${reason}${eligible}`;
}
