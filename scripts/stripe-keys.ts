import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { stripeKeyNames } from "#app/payments/stripe-account.server.ts";

/** Refuses to go on with some of the three keys set and others not: the shop would take no payment, and never falls
 *  back to the emulator by itself. */
export function refuseHalfSetKeys(): void {
	const keys = existsSync(".dev.vars") ? parseEnv(readFileSync(".dev.vars", "utf8")) : {};
	const missing = missingKeys(stripeKeyNames.filter((name) => keys[name]));
	if (missing.length === 0 || missing.length === stripeKeyNames.length) return;
	console.error(`.dev.vars lacks ${missing.join(" and ")}. Set all three, or none to use the Stripe emulator.`);
	process.exit(1);
}

export function missingKeys(present: string[]): string[] {
	return stripeKeyNames.filter((name) => !present.includes(name));
}
