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

/** An environment that can be deployed. */
export type Target = "production" | "demo";

/** What stands between a deployment and its payments, each with how to mend it. `vars` are the environment's in
 *  wrangler.toml; `secrets` the names of the Worker's secrets, null to leave them out: their values are for nobody to
 *  read, so a STRIPE_API_BASE, which takes test keys only, is refused unseen. */
export function toMend(target: Target, vars: Record<string, unknown>, secrets: string[] | null): string[] {
	const known = [...stripeKeyNames, "STRIPE_API_BASE"];
	const wanted = target === "production" ? [...stripeKeyNames] : [];
	const demands = known
		.filter((name) => name in vars)
		.map((name) => `remove ${name} from [env.${target}] in wrangler.toml; Stripe's keys are secrets`);
	if (target === "demo" && String(vars["STRIPE_EMULATOR_HOSTS"]).includes(".example.")) {
		demands.push("put the host of your demo into STRIPE_EMULATOR_HOSTS of [env.demo.vars] in wrangler.toml");
	}
	if (secrets === null) return demands;
	const put = wanted.filter((name) => !secrets.includes(name)).map((name) => `put ${name}`);
	const remove = known
		.filter((name) => secrets.includes(name) && !wanted.some((key) => key === name))
		.map((name) => `delete ${name}`);
	return [...demands, ...[...put, ...remove].map((command) => `npx wrangler secret ${command} --env ${target}`)];
}
