/** The three keys of the emulated account. They open nothing but the emulator, so they may stand in the source. */
export const SECRET_KEY = "sk_test_emulator";
export const PUBLISHABLE_KEY = "pk_test_emulator";
export const WEBHOOK_SECRET = "whsec_emulator";
