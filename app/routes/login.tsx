import { useEffect } from "react";
import { data, Form, redirect, useNavigation } from "react-router";
import { hasToWait } from "#app/auth/attempts.server.ts";
import { createUser, findUser, parseCredentials } from "#app/auth/credentials.server.ts";
import { customerContext, sessionContext, startSession } from "#app/auth/customer.server.ts";
import { readForm } from "#app/http/body.server.ts";
import { cookiesContext } from "#app/http/cookies.server.ts";
import { databasesContext } from "#app/http/databases.server.ts";
import { retryLater } from "#app/http/rate-limit.server.ts";
import { disconnect } from "#app/orders/feed.server.ts";
import { claimGuestOrders } from "#app/orders/owner.server.ts";
import { outsideContext } from "#app/outside.server.ts";
import { Logo } from "#app/ui/logo.tsx";
import type { Route } from "./+types/login";

export const handle = { header: false, footerBar: true };

/** Signs in, or creates the account and signs in, and goes home; or says why not and keeps the typed e-mail. */
export async function action({ request, context }: Route.ActionArgs) {
	const form = await readForm(request);
	if (!form) return data({ refusal: "The form could not be read.", email: "" }, { status: 400 });
	const typedEmail = form.get("email");
	const refuse = (refusal: string, init: ResponseInit = { status: 400 }) =>
		data({ refusal, email: typeof typedEmail === "string" ? typedEmail : "" }, init);

	const credentials = parseCredentials(form);
	if ("refusal" in credentials) return refuse(credentials.refusal);
	const outside = context.get(outsideContext);
	const creates = form.get("intent") === "create-account";
	if (await hasToWait(outside, request, credentials, creates)) {
		const refusal = "There were too many tries. Please try again in a minute.";
		return refuse(refusal, { status: 429, headers: retryLater });
	}
	const { primary } = context.get(databasesContext);
	const { now } = outside;
	const user = creates ? await createUser(primary, credentials, now) : await findUser(primary, credentials);
	if ("refusal" in user) return refuse(user.refusal);

	const cookies = context.get(cookiesContext);
	await startSession(primary, cookies, now, user.id);
	await disconnect(outside, context.get(customerContext), context.get(sessionContext));
	await claimGuestOrders(outside, primary, cookies, user.id);
	return redirect("/");
}

/** A document made by the action has the action's headers too: React Router asks. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
	return actionHeaders;
}

export default function Login({ actionData }: Route.ComponentProps) {
	const busy = useNavigation().state !== "idle";
	const refusal = actionData?.refusal;

	// with scripts the refusal is also an alert, as specified; without, it stands beside the form
	useEffect(() => {
		if (actionData) alert(actionData.refusal);
	}, [actionData]);

	return (
		<div className="wrap">
			<title>Sign in · Half Dozen</title>
			<meta name="description" content="Sign in to Half Dozen, or create an account, to see what you have ordered." />
			<Logo />
			<Form method="post" noValidate className="sheet login" aria-describedby={refusal ? "refusal" : undefined}>
				<h1>Sign in</h1>
				{refusal && (
					<p className="error" id="refusal">
						{refusal}
					</p>
				)}
				<label>
					E-mail
					<input type="email" name="email" autoComplete="username" defaultValue={actionData?.email} />
				</label>
				<label>
					Password
					<input type="password" name="password" autoComplete="current-password" />
				</label>
				<button type="submit" className="button main" name="intent" value="sign-in" disabled={busy}>
					Sign In
				</button>
				<small>
					By signing in you agree to our conditions. Half Dozen is a fake clone of a shopping site, made to be read and
					tried: nothing is sold and nothing is sent.
				</small>
				<button type="submit" className="button" name="intent" value="create-account" disabled={busy}>
					Create account
				</button>
			</Form>
		</div>
	);
}
