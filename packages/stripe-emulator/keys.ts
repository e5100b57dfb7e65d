/** An account's API keys and the secret of its webhooks' signatures. */
export interface Keys {
	secretKey: string;
	/** Begins with pk_test_. */
	publishableKey: string;
	webhookSecret: string;
}

/** The default keys. They open nothing but the emulator, so they need not be secret. */
export const SECRET_KEY = "sk_test_emulator";
export const PUBLISHABLE_KEY = "pk_test_emulator";
export const WEBHOOK_SECRET = "whsec_emulator";

export const defaultKeys: Keys = {
	secretKey: SECRET_KEY,
	publishableKey: PUBLISHABLE_KEY,
	webhookSecret: WEBHOOK_SECRET,
};
