import { addressOf, isTooMany } from "#app/http/rate-limit.server.ts";
import type { Outside } from "#app/outside.server.ts";
import type { Credentials } from "./credentials.server.ts";
import { isTurnSoon } from "./turns.server.ts";

/** Whether a try at the form of /login has to wait, asked before any password is looked at: after 30 in a minute from one
 *  address, after 10 at one account wherever they come from, and while more are being hashed than would get an answer in
 *  time. Creating an account tells nothing of a password, so that only its address counts. */
export async function hasToWait(
	outside: Outside,
	request: Request,
	{ email }: Credentials,
	creates: boolean,
): Promise<boolean> {
	return (
		!isTurnSoon(outside.limits.hashQueue) ||
		(await isTooMany(outside, "address", `/login ${addressOf(request)}`)) ||
		(!creates && (await isTooMany(outside, "account", email)))
	);
}
