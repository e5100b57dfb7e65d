/** The emulated account's keys. They are not secret: they work only with the emulator. */
export const SECRET_KEY = "sk_test_emulator";
export const PUBLISHABLE_KEY = "pk_test_emulator";
export const WEBHOOK_SECRET = "whsec_emulator";
