import { data, Link, redirect } from "react-router";
import stylesheet from "#app/auth/login.css?url";
import { signIn } from "#app/auth/sign-in.server.ts";
import { SignInForm } from "#app/auth/sign-in-form.tsx";
import { shopName } from "#app/brand.ts";
import { PageTags } from "#app/frame/page-tags.tsx";
import { addressOf } from "#app/http/rate-limit.server.ts";
import { requestContext } from "#app/http/request-context.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { claimGuestOrders } from "#app/orders/claim.server.ts";
import { disconnectFeed } from "#app/orders/feed.server.ts";
import { LoadPage } from "#app/tab/load-page.tsx";
import { announce } from "#app/ui/announcer.tsx";
import { Logo } from "#app/ui/logo.tsx";
import { pageStyles } from "#app/ui/page-styles.tsx";
import type { Route } from "./+types/login";

const styles = pageStyles(stylesheet);

/** Signs in, creating the account first if requested, and redirects to the home page. Refusals keep the typed email. */
export async function action({ request, context }: Route.ActionArgs) {
	const { services, cookies, databases, authenticate } = context.get(requestContext);
	const previous = await withFallback(services.timeouts.read, authenticate, () => null);
	const form = await request.formData().catch(() => null);
	const signedIn = await signIn({ services, cookies, databases }, form, addressOf(request));
	if ("refusal" in signedIn) {
		const { init, ...refused } = signedIn;
		const email = form?.get("email");
		return data({ ...refused, email: typeof email === "string" ? email : "" }, init);
	}
	await disconnectFeed(services, previous);
	await claimGuestOrders(services, databases.primary, cookies, signedIn.id);
	return redirect("/");
}

/** Announces that an account was created. Otherwise, only the header of the next page shows the sign-in. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
	const isNew = (await request.clone().formData()).has("intent");
	return serverAction().catch((redirect) => {
		if (isNew && redirect instanceof Response)
			announce("Your account was created. You're signed in.", { stays: "sign-in" });
		throw redirect;
	});
}

// React Router applies the action's headers to a document response only if the route exports them
export function headers({ actionHeaders }: Route.HeadersArgs) {
	return actionHeaders;
}

export default function Login({ actionData }: Route.ComponentProps) {
	return (
		<div className="wrap">
			<PageTags
				title="Sign In"
				description={`Sign in to ${shopName}, or create an account, to see what you have ordered.`}
			/>
			{styles}
			<Logo />
			<div className="login">
				<SignInForm refused={actionData} loadPage={<LoadPage className="button" />} />
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
