import type { Appearance } from "@stripe/stripe-js";

type FieldOption = "auto" | "never" | "always" | "if_required";

/** Values that the fields contain at first, as in the options of the Payment, Link Authentication and Address
 *  Elements. */
export interface Details {
	name?: string | null;
	email?: string | null;
	phone?: string | null;
	address?: Partial<Record<"city" | "country" | "line1" | "line2" | "postal_code" | "state", string | null>>;
}

/** The options of the Elements with labeled fields that have an effect in the emulator, and those of their group. */
export interface FormOptions {
	appearance?: Appearance;
	/** Whether the card will be charged again later, so that the terms are shown. */
	isReused?: boolean;
	defaultValues?: Details & { billingDetails?: Details };
	fields?: {
		billingDetails?: FieldOption | { address?: FieldOption | { country?: FieldOption; postalCode?: FieldOption } };
		phone?: FieldOption;
		name?: FieldOption;
	};
	readOnly?: boolean;
	terms?: { card?: FieldOption };
	mode?: "billing" | "shipping";
	allowedCountries?: readonly string[] | null;
}

/** Returns the fields that the Payment Element's options exclude, so that the page must send their values. */
export function excludedFields({ fields }: FormOptions): ("country" | "postal_code")[] {
	const billing = fields?.billingDetails;
	const address = typeof billing === "object" ? billing.address : billing;
	const option = (name: "country" | "postalCode") => (typeof address === "object" ? address[name] : address);
	return [
		...(option("country") === "never" ? (["country"] as const) : []),
		...(option("postalCode") === "never" ? (["postal_code"] as const) : []),
	];
}
