import { useEffect, useRef, useState } from "react";
import { data, Form, redirect, useNavigation } from "react-router";
import {
	createUser,
	type HashInTurn,
	parseCredentials,
	type Refusal,
	verifyCredentials,
} from "#app/auth/credentials.server.ts";
import { authenticate, startSession } from "#app/auth/customer.server.ts";
import { hashInTurn } from "#app/auth/hash-queue.server.ts";
import { cookiesContext } from "#app/http/cookies.server.ts";
import { databasesContext } from "#app/http/databases.server.ts";
import { addressOf, isRateLimited, retryLater } from "#app/http/rate-limit.server.ts";
import { readForm } from "#app/http/request-body.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { disconnect } from "#app/orders/feed.server.ts";
import { claimGuestOrders } from "#app/orders/owner.server.ts";
import { servicesContext } from "#app/services.server.ts";
import { Logo } from "#app/ui/logo.tsx";
import type { Route } from "./+types/login";

/** Signs in, creating the account first if requested, and redirects to the home page. Refusals keep the typed email. */
export async function action({ request, context }: Route.ActionArgs) {
	const previous = await authenticate(request, context);
	const form = await readForm(request);
	const typedEmail = form?.get("email");
	const refuse = (refusal: Refusal, init: ResponseInit = { status: 400 }) =>
		data({ ...refusal, email: typeof typedEmail === "string" ? typedEmail : "" }, init);
	if (!form) return refuse({ refusal: "The form could not be read." });

	const credentials = parseCredentials(form);
	if ("refusal" in credentials) return refuse(credentials);
	const services = context.get(servicesContext);
	const creates = form.get("intent") === "create-account";
	const refuseForNow = () =>
		refuse({ refusal: "Too many attempts. Try again in a minute." }, { status: 429, headers: retryLater });
	// check before hashing a password. Creating an account reveals nothing about passwords, so it is rate-limited by IP
	// address only
	const isLimited =
		(await isRateLimited(services, "address", `/login ${addressOf(request)}`)) ||
		(!creates && (await isRateLimited(services, "account", credentials.email)));
	if (isLimited) return refuseForNow();
	const { primary } = context.get(databasesContext);
	const { now, timeouts, passwordCost } = services;
	const cookies = context.get(cookiesContext);
	const signedIn = await withFallback(
		timeouts.request,
		async () => {
			const inTurn: HashInTurn = (work) => hashInTurn(addressOf(request), timeouts.hashQueue, () => work(passwordCost));
			const user = creates
				? await createUser(primary, credentials, now, inTurn)
				: await verifyCredentials(primary, credentials, inTurn);
			if (user === "busy") return refuseForNow();
			if ("refusal" in user) return refuse(user);
			await startSession(primary, cookies, now, user.id);
			return user;
		},
		() => refuse({ refusal: "We couldn't sign you in. Please try again." }, { status: 503 }),
	);
	if (!("id" in signedIn)) return signedIn;

	await disconnect(services, previous.customer, previous.session);
	// if claiming fails, the next request for /orders claims the orders
	await withFallback(
		timeouts.request,
		() => claimGuestOrders(services, primary, cookies, signedIn.id),
		() => undefined,
	);
	return redirect("/");
}

// React Router applies the action's headers to a document response only if the route exports them
export function headers({ actionHeaders }: Route.HeadersArgs) {
	return actionHeaders;
}

interface LastAction extends Partial<Refusal> {
	seen?: object;
	email?: string | undefined;
}

export default function Login({ actionData }: Route.ComponentProps) {
	const busy = useNavigation().state !== "idle";
	const [{ seen, refusal, field, email }, setLast] = useState<LastAction>({});
	// keep the action's data, because revalidation clears it
	if (actionData && actionData !== seen) {
		setLast({ ...actionData, seen: actionData, email: actionData.email ?? email });
	}
	const form = useRef<HTMLFormElement>(null);

	// the specification requires an alert; without JavaScript, the form shows the message
	useEffect(() => {
		if (!actionData) return;
		alert(actionData.refusal);
		form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
	}, [actionData]);

	const atFault = { "aria-invalid": true, "aria-describedby": "refusal" };

	return (
		<div className="wrap">
			<title>Sign in · Half Dozen</title>
			<meta name="description" content="Sign in to Half Dozen, or create an account, to see what you have ordered." />
			<Logo />
			<Form
				method="post"
				noValidate
				className="sheet login"
				ref={form}
				// a disabled button would lose focus
				onSubmit={(event) => busy && event.preventDefault()}
			>
				<h1>Sign in</h1>
				{refusal && (
					<p className="error" id="refusal">
						{refusal}
					</p>
				)}
				<label>
					Email
					<input
						type="email"
						name="email"
						autoComplete="username"
						defaultValue={email}
						{...(field === "email" && atFault)}
					/>
				</label>
				<label>
					Password
					<input
						type="password"
						name="password"
						autoComplete="current-password"
						{...(field === "password" && atFault)}
						aria-describedby={field === "password" ? "refusal rules" : "rules"}
					/>
				</label>
				<small id="rules">A new password needs 8 to 128 characters. Common or simple ones are refused.</small>
				<button type="submit" className="button main" name="intent" value="sign-in" aria-disabled={busy}>
					Sign In
				</button>
				<small>
					By signing in you agree to our conditions. Half Dozen is a fake clone of a shopping site, made to read and
					try. Nothing is sold or shipped.
				</small>
				<button type="submit" className="button" name="intent" value="create-account" aria-disabled={busy}>
					Create account
				</button>
			</Form>
		</div>
	);
}
