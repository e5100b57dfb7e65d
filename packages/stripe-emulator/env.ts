import type { StripeEmulatorAccount } from "./account.ts";

/** The bindings that the emulator requires in its host's Worker. */
export interface EmulatorEnv {
	STRIPE_EMULATOR_ACCOUNT?: DurableObjectNamespace<StripeEmulatorAccount>;
}

/** Returns the stub of the only account. Throws if wrangler.toml does not bind its Durable Object. */
export function openAccount<Account extends StripeEmulatorAccount>(env: {
	STRIPE_EMULATOR_ACCOUNT?: DurableObjectNamespace<Account>;
}): DurableObjectStub<Account> {
	const accounts = env.STRIPE_EMULATOR_ACCOUNT;
	if (accounts) return accounts.getByName("account");
	throw new Error("STRIPE_EMULATOR_ACCOUNT is not bound. Add its [[durable_objects.bindings]] entry to wrangler.toml.");
}
