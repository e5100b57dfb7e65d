import { addressOf, isRateLimited } from "#app/http/rate-limit.server.ts";
import type { Services } from "#app/services.server.ts";
import type { Credentials } from "./credentials.server.ts";

/** Whether an attempt at the form of /login has to wait, checked before any password is hashed: after 30 in a minute from
 *  one address, and after 10 at one account, wherever they come from. Creating an account reveals nothing about a password,
 *  so only its address counts. */
export async function hasToWait(
	services: Services,
	request: Request,
	{ email }: Credentials,
	creates: boolean,
): Promise<boolean> {
	return (
		(await isRateLimited(services, "address", `/login ${addressOf(request)}`)) ||
		(!creates && (await isRateLimited(services, "account", email)))
	);
}
