import { addressOf, isTooMany } from "#app/http/rate-limit.server.ts";
import type { Outside } from "#app/outside.server.ts";
import type { Credentials } from "./credentials.server.ts";

/** Whether an attempt at the form of /login has to wait, checked before any password is hashed: after 30 in a minute from
 *  one address, and after 10 at one account, wherever they come from. Creating an account reveals nothing about a password,
 *  so only its address counts. */
export async function hasToWait(
	outside: Outside,
	request: Request,
	{ email }: Credentials,
	creates: boolean,
): Promise<boolean> {
	return (
		(await isTooMany(outside, "address", `/login ${addressOf(request)}`)) ||
		(!creates && (await isTooMany(outside, "account", email)))
	);
}
