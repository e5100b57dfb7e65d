import { stripeAccount, stripeKeyNames } from "#app/payments/stripe-account.server.ts";
import { realOutside, shopWorker } from "#app/worker.server.ts";
import { answerBrowser } from "./browser-routes.ts";
import { PUBLISHABLE_KEY, SECRET_KEY } from "./keys.ts";

export { StripeEmulatorAccount } from "./account.ts";
export { StripeEmulator } from "./entrypoint.ts";

/** The shop's Worker plus the emulator. With no Stripe keys at all the emulator takes the payments; with some of
 *  them the shop says which are missing, and with all three the emulator is not there. */
const shop = shopWorker((env, request) => {
	const outside = realOutside(env);
	return emulates(env) ? { ...outside, stripe: emulatedAccount(env, new URL(request.url)) } : outside;
});

export default {
	...shop,
	fetch(request, env, ctx) {
		if (new URL(request.url).pathname.startsWith("/stripe-emulator/")) {
			return emulates(env) ? answerBrowser(request, env) : new Response("Not found", { status: 404 });
		}
		return shop.fetch(request, env, ctx);
	},
} satisfies ExportedHandler<Env>;

function emulates(env: Env): boolean {
	const account = stripeAccount(env);
	return "missing" in account && account.missing.length === stripeKeyNames.length;
}

function emulatedAccount(env: Env, page: URL) {
	const emulator = env.STRIPE_EMULATOR;
	if (!emulator) throw new Error("STRIPE_EMULATOR is not bound; add the [[services]] entry to wrangler.toml.");
	return {
		secretKey: SECRET_KEY,
		publishableKey: PUBLISHABLE_KEY,
		fetch: (input: RequestInfo | URL, init?: RequestInit) => emulator.fetch(new Request(input, init)),
		scriptUrl: "/stripe-emulator/stripe.js",
		sources: { script: [], frame: [page.origin], connect: [] },
		shopId: env.SHOP_ID,
	};
}
