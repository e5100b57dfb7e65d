import { retryOnce } from "#app/http/databases.server.ts";
import { isRateLimited, retryLater } from "#app/http/rate-limit.server.ts";
import type { RequestContext } from "#app/http/request-context.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import {
	createUser,
	type HashInTurn,
	parseCredentials,
	type Refusal,
	verifyCredentials,
} from "./credentials.server.ts";
import { hashInTurn } from "./hash-queue.server.ts";
import { startSession } from "./sessions.server.ts";

interface SignInRefusal extends Refusal {
	/** The status and headers of the response. */
	init: { status: number; headers?: HeadersInit };
}

const refuse = (refusal: Refusal, status = 400): SignInRefusal => ({ ...refusal, init: { status } });

const tooMany: SignInRefusal = {
	refusal: "Too many attempts. Try again in a minute.",
	init: { status: 429, headers: retryLater },
};
const cookiesRefused =
	"Your browser keeps no cookies for this shop, so you can't sign in. Allow cookies and try again, or continue as a guest.";

/** Signs in with the sign-in form, which is null if it could not be read, and creates the account first if the form
 *  requests it. `address` is the result of `addressOf`. Returns the customer's id, or a refusal. */
export async function signIn(
	{ services, cookies, databases }: Pick<RequestContext, "services" | "cookies" | "databases">,
	form: FormData | null,
	address: string,
): Promise<{ id: string } | SignInRefusal> {
	if (await isRateLimited(services, "address", `/login ${address}`)) return tooMany;
	if (!form) return refuse({ refusal: "The form could not be read." });
	if (!cookies.areKept) return refuse({ refusal: cookiesRefused });
	const credentials = parseCredentials(form);
	if ("refusal" in credentials) return refuse(credentials);
	// creating an account counts too, because it checks the password of an existing account
	if (await isRateLimited(services, "account", credentials.email)) return tooMany;
	const { primary } = databases;
	const { now, timeouts, passwordCost } = services;
	return withFallback<{ id: string } | SignInRefusal>(
		timeouts.work,
		async () => {
			const inTurn: HashInTurn = (work) => hashInTurn(address, timeouts.hashQueue, () => work(passwordCost));
			const user =
				form.get("intent") === "create-account"
					? await createUser(primary, credentials, now, inTurn)
					: await verifyCredentials(primary, credentials, inTurn);
			if (user === "busy") return tooMany;
			if ("refusal" in user) return refuse(user);
			await retryOnce(() => startSession(primary, cookies, user.id));
			return user;
		},
		() => refuse({ refusal: "We couldn't sign you in. Please try again." }, 503),
	);
}
