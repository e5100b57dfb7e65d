/** The oldest browsers in which a shopper can read every page and buy, in the notation of Vite's `cssTarget`. light-dark()
 *  decides for Chrome and Safari. `@property` decides for Firefox: without it, the card input gets light-dark() as text
 *  instead of colors. */
export const browsers = ["chrome123", "firefox128", "safari17.5"];
