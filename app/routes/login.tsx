import { useEffect, useRef, useState } from "react";
import { data, Form, redirect, useLocation, useNavigation } from "react-router";
import {
	createUser,
	type HashInTurn,
	parseCredentials,
	type Refusal,
	verifyCredentials,
} from "#app/auth/credentials.server.ts";
import { hashInTurn } from "#app/auth/hash-queue.server.ts";
import stylesheet from "#app/auth/login.css?url";
import { startSession } from "#app/auth/sessions.server.ts";
import { addressOf, isRateLimited, retryLater } from "#app/http/rate-limit.server.ts";
import { readForm } from "#app/http/request-body.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { disconnect } from "#app/orders/feed.server.ts";
import { claimGuestOrders } from "#app/orders/owner.server.ts";
import { requestContext } from "#app/request-context.server.ts";
import { PageTags } from "#app/shell/page-tags.tsx";
import { Link } from "#app/ui/link.tsx";
import { Logo } from "#app/ui/logo.tsx";
import { pageStyles } from "#app/ui/page-styles.tsx";
import { tryApi } from "#app/ui/try-api.ts";
import type { Route } from "./+types/login";

const styles = pageStyles(stylesheet);

const cookiesRefused =
	"Your browser keeps no cookies for this shop, so you can't sign in. Allow cookies and try again, or continue as a guest.";

/** Signs in, creating the account first if requested, and redirects to the home page. Refusals keep the typed email. */
export async function action({ request, context }: Route.ActionArgs) {
	const { services, cookies, databases, authenticate } = context.get(requestContext);
	const previous = await authenticate();
	const form = await readForm(request);
	const typedEmail = form?.get("email");
	const creates = form?.get("intent") === "create-account";
	const refuse = (refusal: Refusal, init: ResponseInit = { status: 400 }) =>
		data({ ...refusal, creates, email: typeof typedEmail === "string" ? typedEmail : "" }, init);
	const refuseForNow = () =>
		refuse({ refusal: "Too many attempts. Try again in a minute." }, { status: 429, headers: retryLater });
	if (await isRateLimited(services, "address", `/login ${addressOf(request)}`)) return refuseForNow();
	if (!form) return refuse({ refusal: "The form could not be read." });

	if (!cookies.areKept) return refuse({ refusal: cookiesRefused });
	const credentials = parseCredentials(form);
	if ("refusal" in credentials) return refuse(credentials);
	// creating an account reveals nothing about passwords, so it is not limited per account
	if (!creates && (await isRateLimited(services, "account", credentials.email))) return refuseForNow();
	const { primary } = databases;
	const { now, timeouts, passwordCost } = services;
	const signedIn = await withFallback(
		timeouts.work,
		async () => {
			const inTurn: HashInTurn = (work) => hashInTurn(addressOf(request), timeouts.hashQueue, () => work(passwordCost));
			const user = creates
				? await createUser(primary, credentials, now, inTurn)
				: await verifyCredentials(primary, credentials, inTurn);
			if (user === "busy") return refuseForNow();
			if ("refusal" in user) return refuse(user);
			await startSession(primary, cookies, user.id);
			return user;
		},
		() => refuse({ refusal: "We couldn't sign you in. Please try again." }, { status: 503 }),
	);
	if (!("id" in signedIn)) return signedIn;

	await disconnect(services, previous.session);
	// if claiming fails, the next request for /orders claims the orders
	await withFallback(
		timeouts.work,
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
	creates?: boolean | undefined;
	email?: string | undefined;
}

/** A form that signs in, or that creates an account on /login?new and after a refused registration. A link switches to the
 *  other one and keeps what was typed. Autocomplete makes password managers fill in a saved password or generate one. */
export default function Login({ actionData }: Route.ComponentProps) {
	const busy = useNavigation().state !== "idle";
	// the server's router adds an equals sign: ?new=
	const isNew = useLocation().search.startsWith("?new");
	const [{ seen, refusal, field, creates = isNew, email }, setLast] = useState<LastAction>({});
	// keep the action's data, because revalidation clears it. If the request failed, the data has only a refusal
	if (actionData && actionData !== seen) {
		setLast({
			...actionData,
			seen: actionData,
			creates: actionData.creates ?? creates,
			email: actionData.email ?? email,
		});
	}
	const [isShown, setShown] = useState(false);
	const form = useRef<HTMLFormElement>(null);

	// the specification requires an alert; without JavaScript, the form shows the message
	useEffect(() => {
		if (!actionData) return;
		tryApi(() => alert(actionData.refusal));
		form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
	}, [actionData]);

	// without JavaScript, only autofocus can focus the field
	const error = refusal && (
		<p className="error" id="refusal">
			{refusal}
		</p>
	);
	const atFault = { "aria-invalid": true, "aria-describedby": "refusal", autoFocus: true };
	const title = creates ? "Create account" : "Sign In";
	const descriptions = [field === "password" && "refusal", creates && "rules"].filter(Boolean);

	return (
		<div className="wrap">
			<PageTags
				title={`${title} · Half Dozen`}
				description="Sign in to Half Dozen, or create an account, to see what you have ordered."
			/>
			{styles}
			<Logo />
			<div className="login">
				<Form
					method="post"
					noValidate
					className="sheet"
					ref={form}
					onSubmit={(event) => {
						setShown(false);
						// a disabled button would lose focus
						if (busy) event.preventDefault();
					}}
				>
					<h1>{title}</h1>
					{!field && error}
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
					{field === "email" && error}
					<label>
						Password
						<input
							type={isShown ? "text" : "password"}
							name="password"
							autoComplete={creates ? "new-password" : "current-password"}
							autoCapitalize="none"
							spellCheck={false}
							{...(field === "password" && atFault)}
							aria-describedby={descriptions.join(" ") || undefined}
						/>
					</label>
					<button
						type="button"
						className="quiet"
						aria-pressed={isShown}
						// keeps the focus and the caret in the field
						onMouseDown={(event) => event.preventDefault()}
						onClick={() => setShown(!isShown)}
					>
						Show password
					</button>
					{field === "password" && error}
					{creates && <small id="rules">At least 8 characters, and not a common password.</small>}
					<small>
						By continuing, you acknowledge that <span translate="no">Half Dozen</span> is a demo, a fake clone of a
						shopping site: nothing is sold or shipped. Use a made-up password.
					</small>
					<button
						type="submit"
						className="button main"
						name="intent"
						value={creates ? "create-account" : "sign-in"}
						aria-disabled={busy}
					>
						{title}
					</button>
					<p>{creates ? "Have an account?" : "New here?"}</p>
					<Link
						className="button"
						to={creates ? "/login" : "/login?new"}
						replace
						onClick={() => setLast({ seen, email })}
					>
						{creates ? "Sign In" : "Create account"}
					</Link>
				</Form>
				<aside aria-label="Why an account">
					<h2>An account keeps your orders</h2>
					<ul>
						<li>See everything you have ordered, on any device.</li>
						<li>Orders you paid for as a guest in this browser move to your account.</li>
						<li>We ask for an email and a password, nothing else.</li>
					</ul>
					<p>You can buy without an account.</p>
					<Link className="button" to="/checkout">
						Continue as a guest
					</Link>
				</aside>
			</div>
		</div>
	);
}
