// What makes the shop yours. No other file of app/ repeats these names and texts, and the currency.

export const shopName = "Half Dozen";

/** The text of the logo. */
export const logo = "half dozen";

/** The currency of every price, in lower case: one that Stripe charges with two decimals, or yen. Add another without
 *  decimals to ui/money.ts. Amounts are integers in its smallest unit: cents, or yen. An order keeps the currency in which
 *  it was placed. */
export const currency = "usd";

/** Formats prices, as a BCP 47 language tag. The texts of the shop and the dates of orders are English. */
export const locale = "en-US";

/** The colors of the browser's own bars: `--bar` in theme/tokens.css. */
export const barColors = { light: "#141c26", dark: "#0a0f15" };

/** The address to which every order is delivered. */
export const deliveryAddress = ["6 Dozen Street", "Half Moon Bay, CA 94019"];

// texts about the six products

export const homeTitle = `${shopName}: six things, each chosen on purpose`;
export const homeHeading = "Six things.\nEach chosen on purpose.";
export const promise = "We carry half a dozen products and nothing else, so choosing only takes a minute.";
export const slogan = "Exactly six things.";
export const searchLabel = "Search all six";
export const searchDescription = "All six things are on the home page.";
export const allProducts = "All six things";
export const otherProducts = "The rest of the six";
export const shopAll = "Shop all six things";
export const backToShop = "Back to the six things";
export const notFoundText = "Sorry, there is nothing here. These are the six things we do have.";
/** Describes the banner to those who do not see it in a link preview. */
export const bannerDescription = `The six products of ${shopName}`;

// texts that say that the shop is a demo, and its terms

export const deliveryPrice = "Free";
export const deliveryTerms =
	"Delivery is free. This shop is a demo: nothing is shipped, so there is nothing to return.";
export const footerNotice = "A demo: nothing is sold.";
/** Below the card input, while the emulator takes the payments. */
export const cardNotice =
	"This is a demo: no card is charged, no email sent. Pay with 4242 4242 4242 4242, any future date and any CVC.";
export const receiptNotice = "This is a demo: nothing will be shipped.";
/** Follows "By continuing, you acknowledge that" and the shop's name. */
export const signInNotice =
	"is a demo, a fake clone of a shopping site: nothing is sold or shipped. Use a made-up password.";

/** Returns the title of a page in the browser's tab. */
export function pageTitle(title: string): string {
	return title === homeTitle ? title : `${title} · ${shopName}`;
}
