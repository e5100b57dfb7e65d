/** An account's API keys and webhook signing secret. */
export interface Keys {
	secretKey: string;
	/** Must start with pk_test_. */
	publishableKey: string;
	webhookSecret: string;
}

/** The default keys. They work only with the emulator, so they need not be secret. */
export const SECRET_KEY = "sk_test_emulator";
export const PUBLISHABLE_KEY = "pk_test_emulator";
export const WEBHOOK_SECRET = "whsec_emulator";

export const defaultKeys: Keys = {
	secretKey: SECRET_KEY,
	publishableKey: PUBLISHABLE_KEY,
	webhookSecret: WEBHOOK_SECRET,
};
