import { currency, introduction, shopName } from "#app/brand.ts";
import { readCatalogue } from "#app/catalogue/catalogue.server.ts";
import { requestContext } from "#app/request-context.server.ts";
import type { Route } from "./+types/llms";

/** GET /llms.txt: describes the shop and its pages to language models, in Markdown. */
export async function loader({ context }: Route.LoaderArgs) {
	const catalogue = await readCatalogue(context.get(requestContext));
	const products = catalogue.map(({ id, title }) => `- [${title}](/product/${encodeURIComponent(id)})\n`);
	const text = `# ${shopName}

> ${introduction} Prices are in ${currency.toUpperCase()}.

The basket is stored in the page's memory: following a link keeps the basket, but reloading a page empties it. The
basket and payments require JavaScript; browsing, signing in and viewing orders do not. Paying does not require an
account. A guest's orders move to their account when they sign in or create an account in the same browser.

## Products

${products.join("")}
## Pages

- [Home](/): all products with their prices and ratings. Each product has a More Info link and an Add to Basket button
- [Your basket](/checkout): the basket's items, each with a Remove from Basket button, the subtotal, and a Proceed to
  Checkout link
- [Checkout](/payment): the delivery address (always the same), the items, a card input and a Buy Now button
- [Sign in](/login): a form for an email and a password, with the buttons Sign In and Create account
- [Your Orders](/orders): the paid orders of the signed-in customer, newest first
`;
	return new Response(text, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
