import type { Decline, Outcome } from "./cards.ts";

/** A card of https://docs.stripe.com/testing. */
export interface TestCard {
	/** Digits only. */
	number: string;
	label: string;
	/** The names of its shared ids: "visa" stands for the PaymentMethod pm_card_visa and the token tok_visa. */
	names: readonly string[];
	/** Names that only tokens have. */
	tokens: readonly string[];
	/** Two-letter code of the issuer's country. */
	country: string;
	funding: "credit" | "debit" | "prepaid";
	/** The second network of a co-branded card. */
	coBrand: "cartes_bancaires" | "eftpos_au" | null;
	outcome: Outcome;
}

/** A token without a card number of its own: it has the number of another test card and its own outcome. */
export interface TestToken {
	token: string;
	label: string;
	number: string;
	outcome: Outcome;
}

export interface CardGroup {
	heading: string;
	cards: readonly TestCard[];
	tokens: readonly TestToken[];
}

export const pays: Outcome = { decline: null, authentication: "never", cvcCheck: "pass", refund: "succeeds" };
const declined = (decline: Decline): Outcome => ({ ...pays, decline });
/** The issuer's decline, which also prevents attaching the card to a customer. */
const issuer = (outcome: Outcome): Outcome => ({ ...outcome, attach: "declines" });
const cardDeclined = (declineCode: string, message = "Your card was declined."): Outcome =>
	declined({ code: "card_declined", declineCode, message });
const authenticates = (outcome: Outcome): Outcome => ({ ...outcome, authentication: "always" });

const genericDecline = cardDeclined("generic_decline");
const insufficientFunds = cardDeclined("insufficient_funds", "Your card has insufficient funds.");
const lostCard = cardDeclined("lost_card");
const stolenCard = cardDeclined("stolen_card");
const expired = declined({ code: "expired_card", message: "Your card has expired.", param: "exp_month" });
const incorrectCvc: Outcome = {
	...declined({ code: "incorrect_cvc", message: "Your card's security code is incorrect.", param: "cvc" }),
	cvcCheck: "fail",
};
const processingError = declined({
	code: "processing_error",
	message: "An error occurred while processing your card. Try again in a little bit.",
});

/** The outcome of a number that is not a test card, so that no real card is accepted. */
export const liveCard = issuer(
	cardDeclined(
		"test_mode_live_card",
		"Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.",
	),
);

const elevated: Outcome = { ...pays, risk: "elevated" };
const highest: Outcome = { ...pays, risk: "highest" };
const blocked: Outcome = { ...cardDeclined("fraudulent"), risk: "highest", blocked: true };
const cvcFails: Outcome = { ...pays, cvcCheck: "fail" };
const available: Outcome = { ...pays, funds: "available" };

const disputed = (reason: string, caseType: "chargeback" | "inquiry" = "chargeback"): Outcome => ({
	...pays,
	dispute: { reason, caseType },
});
const compliance = (eligibility: "mastercard_compliance" | "visa_compliance"): Outcome => ({
	...pays,
	dispute: { reason: "noncompliant", caseType: "compliance", eligibility },
});

/** Number, label, the names of shared ids (separated by spaces), and what differs from a US credit card that pays. */
type Row = [number: string, label: string, names?: string, rest?: Partial<TestCard>];

function group(heading: string, rows: readonly Row[], tokens: readonly TestToken[] = []): CardGroup {
	const cards = rows.map(([number, label, names = "", rest]): TestCard => {
		const usual = { tokens: [], country: "US", funding: "credit", coBrand: null, outcome: pays } as const;
		return { number, label, names: names.split(" ").filter((name) => name !== ""), ...usual, ...rest };
	});
	return { heading, cards, tokens };
}

const debit = { funding: "debit" } as const;
const cartesBancaires = { country: "FR", coBrand: "cartes_bancaires" } as const;
const eftpos = { country: "AU", coBrand: "eftpos_au", ...debit } as const;

/** Country, label, number, names and rest. */
const countryRows: readonly [
	country: string,
	label: string,
	number: string,
	names?: string,
	rest?: Partial<TestCard>,
][] = [
	["AR", "Argentina", "4000000320000021", "ar"],
	["BR", "Brazil", "4000000760000002", "br"],
	["CA", "Canada", "4000001240000000", "ca"],
	["CL", "Chile", "4000001520000001", "cl"],
	["CO", "Colombia", "4000001700000003", "co"],
	["CR", "Costa Rica", "4000001880000005", "cr"],
	["EC", "Ecuador", "4000002180000000", "ec"],
	["MX", "Mexico", "4000004840008001", "mx"],
	["MX", "Mexico, Carnet", "5062210000000009"],
	["PA", "Panama", "4000005910000000", "pa"],
	["PY", "Paraguay", "4000006000000066", "py"],
	["PE", "Peru", "4000006040000068", "pe"],
	["UY", "Uruguay", "4000008580000003", "uy"],
	["AE", "United Arab Emirates", "4000007840000001", "ae"],
	["AE", "United Arab Emirates, Mastercard", "5200007840000022", "ae_mastercard"],
	["AT", "Austria", "4000000400000008", "at"],
	["BE", "Belgium", "4000000560000004", "be"],
	["BG", "Bulgaria", "4000001000000000", "bg"],
	["BY", "Belarus", "4000001120000005", "by"],
	["HR", "Croatia", "4000001910000009", "hr"],
	["CY", "Cyprus", "4000001960000008", "cy"],
	["CZ", "Czech Republic", "4000002030000002", "cz"],
	["DK", "Denmark", "4000002080000001", "dk"],
	["EE", "Estonia", "4000002330000009", "ee"],
	["FI", "Finland", "4000002460000001", "fi"],
	["FR", "France", "4000002500000003", "fr"],
	["DE", "Germany", "4000002760000016", "de"],
	["GI", "Gibraltar", "4000002920000005", "gi"],
	["GR", "Greece", "4000003000000030", "gr"],
	["HU", "Hungary", "4000003480000005", "hu"],
	["IE", "Ireland", "4000003720000005", "ie"],
	["IT", "Italy", "4000003800000008", "it"],
	["LV", "Latvia", "4000004280000005", "lv"],
	["LI", "Liechtenstein", "4000004380000004", "li"],
	["LT", "Lithuania", "4000004400000000", "lt"],
	["LU", "Luxembourg", "4000004420000006", "lu"],
	["MT", "Malta", "4000004700000007", "mt"],
	["NL", "Netherlands", "4000005280000002", "nl"],
	["NO", "Norway", "4000005780000007", "no"],
	["PL", "Poland", "4000006160000005", "pl"],
	["PT", "Portugal", "4000006200000007", "pt"],
	["RO", "Romania", "4000006420000001", "ro"],
	["SA", "Saudi Arabia", "4000006820000007"],
	["SI", "Slovenia", "4000007050000006", "si"],
	["SK", "Slovakia", "4000007030000001", "sk"],
	["ES", "Spain", "4000007240000007", "es"],
	["SE", "Sweden", "4000007520000008", "se"],
	["CH", "Switzerland", "4000007560000009", "ch"],
	["GB", "United Kingdom", "4000008260000000", "gb"],
	["GB", "United Kingdom, debit", "4000058260000005", "gb_debit", debit],
	["GB", "United Kingdom, Mastercard", "5555558265554449", "gb_mastercard"],
	["AU", "Australia", "4000000360000006", "au"],
	["CN", "China", "4000001560000002", "cn"],
	["HK", "Hong Kong", "4000003440000004", "hk"],
	["IN", "India", "4000003560000008", "in"],
	["JP", "Japan", "4000003920000003", "jp"],
	["JP", "Japan, JCB", "3530111333300000"],
	["MY", "Malaysia", "4000004580000002", "my"],
	["NZ", "New Zealand", "4000005540000008", "nz"],
	["SG", "Singapore", "4000007020000003", "sg"],
	["TW", "Taiwan", "4000001580000008", "tw"],
	["TH", "Thailand", "4000007640000003", "th_credit"],
	["TH", "Thailand, debit", "4000057640000008", "th_debit", debit],
];
const countries = countryRows.map(
	([country, label, number, names, rest]): Row => [number, label, names, { country, ...rest }],
);

export const cardGroups: readonly CardGroup[] = [
	group("Brands", [
		["4242424242424242", "Visa", "visa us"],
		["4000056655665556", "Visa, debit", "visa_debit", debit],
		["5555555555554444", "Mastercard", "mastercard"],
		["2223003122003222", "Mastercard, 2-series"],
		["5200828282828210", "Mastercard, debit", "mastercard_debit", debit],
		["5105105105105100", "Mastercard, prepaid", "mastercard_prepaid", { funding: "prepaid" }],
		["378282246310005", "American Express, without 3-D Secure", "amex amex_threeDSecureNotSupported"],
		["371449635398431", "American Express"],
		["6011111111111117", "Discover", "discover"],
		["6011000990139424", "Discover"],
		["6011981111111113", "Discover, debit", "", debit],
		["3056930009020004", "Diners Club", "diners"],
		["36227206271667", "Diners Club, 14 digits"],
		["6555900000604105", "BCcard and DinaCard"],
		["3566002020360505", "JCB", "jcb", { country: "JP" }],
		["6200000000000005", "UnionPay", "unionpay", { country: "CN" }],
		["6200000000000047", "UnionPay, debit", "", { country: "CN", ...debit }],
		["6205500000000000004", "UnionPay, 19 digits", "", { country: "CN" }],
		["4000002500001001", "Cartes Bancaires and Visa", "visa_cartesBancaires", cartesBancaires],
		["5555552500001001", "Cartes Bancaires and Mastercard", "mastercard_cartesBancaires", cartesBancaires],
		["4000050360000001", "eftpos Australia and Visa", "visa_debit_eftposAuCoBranded", eftpos],
		["5555050360000080", "eftpos Australia and Mastercard", "mastercard_debit_eftposAuCoBranded", eftpos],
		["4000051230000072", "Visa, HSA or FSA", "debit_visaFsaProductCode debit_visaHsaProductCode", debit],
		["5200828282828897", "Mastercard, FSA", "mastercard_debit_mastercardFsaProductCode", debit],
	]),
	group("Countries", countries),
	group(
		"Declines",
		[
			["4000000000000002", "Generic decline", "visa_chargeDeclined", { outcome: issuer(genericDecline) }],
			[
				"4000000000009995",
				"Insufficient funds",
				"visa_chargeDeclinedInsufficientFunds",
				{ outcome: issuer(insufficientFunds) },
			],
			["4000000000009987", "Lost card", "visa_chargeDeclinedLostCard", { outcome: issuer(lostCard) }],
			["4000000000009979", "Stolen card", "visa_chargeDeclinedStolenCard", { outcome: issuer(stolenCard) }],
			[
				"4000000000000069",
				"Expired card",
				"chargeDeclinedExpiredCard",
				{ outcome: issuer(expired), tokens: ["visa_chargeDeclinedExpiredCard"] },
			],
			[
				"4000000000000127",
				"Incorrect security code",
				"chargeDeclinedIncorrectCvc",
				{ outcome: issuer(incorrectCvc), tokens: ["visa_chargeDeclinedIncorrectCvc"] },
			],
			[
				"4000000000000119",
				"Processing error",
				"chargeDeclinedProcessingError",
				{ outcome: issuer(processingError), tokens: ["visa_chargeDeclinedProcessingError"] },
			],
			[
				"4000000000006975",
				"Velocity limit exceeded",
				"visa_chargeDeclinedVelocityLimitExceeded",
				{ outcome: issuer(cardDeclined("card_velocity_exceeded")) },
			],
			[
				"4000000000000341",
				"Declined after it was attached to a customer",
				"chargeCustomerFail",
				{ outcome: genericDecline, tokens: ["visa_chargeCustomerFail"] },
			],
		],
		[
			{
				token: "visa_debit_chargeDeclinedInsufficientFunds",
				label: "Insufficient funds, debit",
				number: "4000056655665556",
				outcome: issuer(insufficientFunds),
			},
			{
				token: "visa_chargeDeclinedFraudulent",
				label: "Fraudulent",
				number: "4000000000000002",
				outcome: issuer(cardDeclined("fraudulent")),
			},
			{
				token: "visa_chargeCustomerFailLostCard",
				label: "Lost after it was attached to a customer",
				number: "4000000000000341",
				outcome: lostCard,
			},
			{
				token: "visa_chargeCustomerFailStolenCard",
				label: "Stolen after it was attached to a customer",
				number: "4000000000000341",
				outcome: stolenCard,
			},
		],
	),
	group("Fraud prevention", [
		["4100000000000019", "Always blocked", "radarBlock", { outcome: blocked }],
		["4000000000004954", "Highest risk", "riskLevelHighest", { outcome: highest }],
		["4000000000009235", "Elevated risk", "riskLevelElevated", { outcome: elevated }],
		["4000008400000407", "High fraud dispute score", "highFraudDisputeScore"],
		["4000008400000159", "High early fraud warning score", "highEfwScore"],
		["4000008400001017", "Dynamic risk thresholds", "radarDynamicRiskThreshold"],
		["4001858821843804", "Free trial abuse", "freeTrialAbuseBlock"],
		["4000008405600003", "Adaptive 3-D Secure", "adaptive3dsChallenge"],
		["4000000000000101", "Security code check fails", "cvcCheckFail", { outcome: cvcFails }],
		["4000000000000036", "Postal code check fails", "avsZipFail", { outcome: { ...pays, postalCodeCheck: "fail" } }],
		[
			"4000058400307872",
			"Security code check fails, elevated risk",
			"cvcCheckFailElevatedRisk",
			{ outcome: { ...elevated, cvcCheck: "fail" } },
		],
		[
			"4000058400306072",
			"Postal code check fails, elevated risk",
			"avsZipFailElevatedRisk",
			{ outcome: { ...elevated, postalCodeCheck: "fail" } },
		],
		["4000000000000028", "Line 1 check fails", "avsLine1Fail", { outcome: { ...pays, line1Check: "fail" } }],
		[
			"4000000000000010",
			"Address checks fail",
			"avsFail",
			{ outcome: { ...pays, line1Check: "fail", postalCodeCheck: "fail" } },
		],
		[
			"4000000000000044",
			"Address checks unavailable",
			"avsUnchecked",
			{ outcome: { ...pays, line1Check: "unavailable", postalCodeCheck: "unavailable" } },
		],
		["4000000000001208", "Captcha"],
		["4000000000003725", "Captcha"],
	]),
	group("Disputes", [
		["4000000000000259", "Fraudulent", "createDispute", { outcome: disputed("fraudulent") }],
		[
			"4000000000002685",
			"Product not received",
			"createDisputeProductNotReceived",
			{ outcome: disputed("product_not_received") },
		],
		["4000000000001976", "Inquiry", "createDisputeInquiry", { outcome: disputed("fraudulent", "inquiry") }],
		[
			"4000000000005423",
			"Early fraud warning",
			"createIssuerFraudRecord",
			{ outcome: { ...pays, dispute: "warning" } },
		],
		[
			"4000000404000079",
			"Multiple disputes",
			"createMultipleDisputes",
			{ outcome: { ...pays, dispute: { reason: "fraudulent", caseType: "chargeback", count: 2 } } },
		],
		[
			"4000000404000038",
			"Visa Compelling Evidence 3.0",
			"createCe3EligibleDispute",
			{
				outcome: {
					...pays,
					dispute: { reason: "fraudulent", caseType: "chargeback", eligibility: "visa_compelling_evidence_3" },
				},
			},
		],
		["4000008400000779", "Visa compliance", "createComplianceDispute", { outcome: compliance("visa_compliance") }],
		[
			"5105008400000002",
			"Mastercard compliance",
			"createMastercardComplianceDispute",
			{ outcome: compliance("mastercard_compliance") },
		],
		[
			"4000000001000043",
			"Smart Disputes",
			"createAutoRepresentmentEligibleDispute",
			{ outcome: disputed("fraudulent") },
		],
		[
			"4000000404004816",
			"Visa Rapid Dispute Resolution, not enrolled",
			"createRapidDisputeResolutionDispute",
			{ outcome: disputed("fraudulent") },
		],
		[
			"4000000404005649",
			"Verifi CE3 block, not enrolled",
			"createCe3BlockDispute",
			{ outcome: disputed("fraudulent") },
		],
		["5105000300000018", "Ethoca alert, not enrolled", "createEthocaAlert", { outcome: disputed("fraudulent") }],
	]),
	group("Refunds and balance", [
		["4000000000007726", "Asynchronous success", "pendingRefund", { outcome: { ...pays, refund: "pending" } }],
		["4000000000005126", "Asynchronous failure", "refundFail", { outcome: { ...pays, refund: "fails" } }],
		["4000000000000077", "Bypass pending balance", "bypassPending", { outcome: available }],
		[
			"4000003720000278",
			"Bypass pending balance, international",
			"bypassPendingInternational",
			{ country: "IE", outcome: available },
		],
	]),
	group("3-D Secure", [
		[
			"4000002500003155",
			"Authenticate unless set up",
			"authenticationRequiredOnSetup",
			{ country: "FR", outcome: { ...pays, authentication: "unless_set_up" } },
		],
		[
			"4000002760003184",
			"Always authenticate",
			"authenticationRequired",
			{ country: "DE", outcome: authenticates(pays) },
		],
		[
			"4000003800000446",
			"Already set up",
			"authenticationRequiredSetupForOffSession",
			{ country: "IT", outcome: { ...pays, authentication: "on_session" } },
		],
		[
			"4000008260003178",
			"Insufficient funds",
			"authenticationRequiredChargeDeclinedInsufficientFunds",
			{ country: "GB", outcome: { ...insufficientFunds, authentication: "unless_set_up" } },
		],
		["4000000000003220", "Required", "threeDSecure2Required", { country: "IE", outcome: authenticates(pays) }],
		["4000008400000027", "Required, US", "", { outcome: authenticates(pays) }],
		[
			"4000008400001629",
			"Required, then declined",
			"threeDSecureRequiredChargeDeclined",
			{ outcome: authenticates(genericDecline) },
		],
		["4000008400001280", "Required, lookup fails", "threeDSecureRequiredProcessingError", { outcome: genericDecline }],
		["4000000000003055", "Supported", "threeDSecureOptional", { outcome: { ...pays, authentication: "on_request" } }],
		[
			"4000000000003097",
			"Supported, lookup fails",
			"threeDSecureOptionalProcessingError",
			{ outcome: { ...pays, authentication: "fails_on_request" } },
		],
		["4000000032200000", "Frictionless", "", { outcome: { ...pays, authentication: "frictionless" } }],
		["4000582600000094", "Mobile: out of band", "", { country: "GB", outcome: authenticates(pays) }],
		["4000582600000045", "Mobile: one-time passcode", "", { country: "GB", outcome: authenticates(pays) }],
		["4000582600000102", "Mobile: single select", "", { country: "GB", outcome: authenticates(pays) }],
		["4000582600000110", "Mobile: multi select", "", { country: "GB", outcome: authenticates(pays) }],
	]),
	group("In person, with a PIN", [
		["4001007020000002", "Offline PIN", "", { country: "SG" }],
		["4000008260000075", "Offline PIN after a retry", "", { country: "GB" }],
		["4001000360000005", "Online PIN", "", { country: "AU" }],
		["4000002760000008", "Online PIN after a retry", "", { country: "DE" }],
	]),
];
