import { invalidRequest } from "./errors.ts";

/** The headers, besides the API key, that change how a request is processed. */
export interface ApiHeaders {
	/** `Stripe-Version` */
	version: string | null;
	/** `Stripe-Account` or `Stripe-Context`, which name the account of a platform's customer. */
	account: string | null;
}

export function readHeaders({ headers }: Request): ApiHeaders {
	return {
		version: headers.get("Stripe-Version"),
		account: headers.get("Stripe-Account") ?? headers.get("Stripe-Context"),
	};
}

/** The first version in which `allowed_payment_method_types` has replaced `payment_method_types`. */
const firstWithAllowedTypes = "2026-10-28";

/** Returns whether the request is made for an API version in which the parameter `payment_method_types` existed. Throws
 *  an ApiError for a text that is not a version, and for the account of a platform's customer. */
export function hasOldTypes({ version, account }: ApiHeaders): boolean {
	if (account !== null) {
		throw invalidRequest(
			`The provided key does not have access to account '${account}' (or that account does not exist). The Stripe emulator does not support Connect.`,
			{ code: "account_invalid" },
			403,
		);
	}
	if (version === null) return false;
	if (!/^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$/.test(version)) {
		throw invalidRequest(`Invalid Stripe API version: ${version}`);
	}
	return version.slice(0, firstWithAllowedTypes.length) < firstWithAllowedTypes;
}
