import type { RouterContextProvider } from "react-router";
import { authenticate, visitorContext } from "#app/auth/customer.server.ts";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { cookiesContext } from "#app/http/cookies.server.ts";
import { fillIn, pageTemplate } from "#app/http/page-cache.server.ts";
import { servicesContext } from "#app/services.server.ts";

/** Emails that contain only these characters need no escaping, neither in HTML nor in JSON. */
const plainEmail = /^[\w.+@-]+$/;

/** Returns a page that is the same for all guests, and for all customers except for their id and email. It is rendered
 *  for a placeholder customer and cached without any customer's data. A customer's session is validated for each
 *  request, at the same time. `openContext` opens a context for a rendering with this nonce. */
export async function cachedPage(
	request: Request,
	url: URL,
	nonce: string,
	openContext: (nonce: string) => RouterContextProvider,
	render: (context: RouterContextProvider) => Promise<Response>,
): Promise<Response> {
	const context = openContext(nonce);
	const now = context.get(servicesContext).now();
	if (context.get(cookiesContext).get(sessionCookieName) === null) {
		const page = await pageTemplate(url, ["nonce"], now, (placeholderOf) =>
			render(openContext(placeholderOf("nonce"))),
		);
		return fillIn(page, { nonce });
	}
	const [visitor, page] = await Promise.all([
		// if D1 fails, so does the rendering below, which explains it to the shopper
		authenticate(request, context).catch(() => null),
		pageTemplate(url, ["nonce", "id", "email"], now, (placeholderOf) => {
			const anyone = openContext(placeholderOf("nonce"));
			const customer = { id: placeholderOf("id"), email: placeholderOf("email") };
			anyone.set(visitorContext, Promise.resolve({ customer, session: null }));
			return render(anyone);
		}),
	]);
	const customer = visitor?.customer;
	return customer && plainEmail.test(customer.email) ? fillIn(page, { nonce, ...customer }) : render(context);
}
