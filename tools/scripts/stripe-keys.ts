import { missingKeys, stripeKeyNames } from "#app/payments/stripe-config.server.ts";

/** Returns what to change if only some of the three keys are set: the shop could not take payments, because it does not
 *  fall back to the emulator. */
export function findStripeProblem(variables: NodeJS.Dict<string>): string | null {
	const missing = missingKeys(variables);
	if (missing.length === 0 || missing.length === stripeKeyNames.length) return null;
	return `.dev.vars does not set ${missing.join(" and ")}. Set all three keys, or none to use the Stripe emulator.`;
}

/** An environment in wrangler.toml. */
export type Target = "production" | "demo";

/** Returns a fix for each setting that would prevent the deployment from taking payments. `vars` are the environment's
 *  variables in wrangler.toml. `secrets` are the names of the Worker's secrets, or null to skip them. */
export function listProblems(target: Target, vars: Record<string, unknown>, secrets: string[] | null): string[] {
	const required = target === "production" ? [...stripeKeyNames] : [];
	const problems = stripeKeyNames
		.filter((name) => name in vars)
		.map((name) => `remove ${name} from [env.${target}] in wrangler.toml. Stripe's keys are secrets.`);
	if (target === "demo" && String(vars["STRIPE_EMULATOR_HOSTS"]).includes(".example.")) {
		problems.push("set STRIPE_EMULATOR_HOSTS in [env.demo.vars] of wrangler.toml to the host of your demo");
	}
	if (secrets === null) return problems;
	const put = required.filter((name) => !secrets.includes(name)).map((name) => `put ${name}`);
	const remove = stripeKeyNames
		.filter((name) => secrets.includes(name) && !required.includes(name))
		.map((name) => `delete ${name}`);
	return [...problems, ...[...put, ...remove].map((command) => `run npx wrangler secret ${command} --env ${target}`)];
}
