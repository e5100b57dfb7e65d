import { readDevVars } from "../vite/dev-vars.ts";

/** Returns what to know about the local shop at an address. While `wrangler dev` builds, the address is not known. */
export function welcome(address?: string): string {
	const emulator = address ? new URL("/stripe-emulator/", address) : "/stripe-emulator/";
	const payments = readDevVars()["STRIPE_SECRET_KEY"]
		? "Payments go to the Stripe account in .dev.vars."
		: `Payments go to the Stripe emulator: ${emulator} shows them.`;
	return `
The shop is ${address ? `open at ${address}` : "ready. wrangler prints its address below."}
${payments}
Test cards, with any future date and any CVC:
  4242 4242 4242 4242  succeeds
  4000 0000 0000 0002  is declined
  4000 0027 6000 3184  requires 3-D Secure
Press Ctrl+C to stop.
`;
}
