import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { missingVariables, stripeKeyNames } from "#app/payments/stripe-account.server.ts";

/** Refuses to go on with some of the three keys set and others not, or with a STRIPE_API_BASE that cannot be used: the
 *  shop would take no payment, and never falls back to the emulator or to Stripe by itself. */
export function refuseBadStripeVariables(): void {
	const variables = readDevVars();
	const missing = missingVariables(variables);
	const present = stripeKeyNames.filter((name) => variables[name]);
	if (missing.length === 0 || present.length === 0) return;
	if (present.length < stripeKeyNames.length) {
		console.error(`.dev.vars lacks ${missing.join(" and ")}. Set all three, or none to use the Stripe emulator.`);
	} else {
		console.error(`In .dev.vars, set ${missing.join(" and ")}; or remove STRIPE_API_BASE to use Stripe.`);
	}
	process.exit(1);
}

/** The variables that a shop on this machine runs with. */
export function readDevVars(): NodeJS.Dict<string> {
	return existsSync(".dev.vars") ? parseEnv(readFileSync(".dev.vars", "utf8")) : {};
}

/** What stands between the production shop and Stripe, as commands that mend it, by the names of its secrets: their
 *  values are for nobody to read, so a STRIPE_API_BASE, which takes test keys only, is refused unseen. */
export function secretsToMend(names: string[]): string[] {
	const put = stripeKeyNames.filter((name) => !names.includes(name)).map((name) => `put ${name}`);
	const remove = names.filter((name) => name === "STRIPE_API_BASE").map((name) => `delete ${name}`);
	return [...put, ...remove].map((command) => `npx wrangler secret ${command} --env production`);
}
