import { hostsOf } from "../hosts.ts";

const { currentScript } = document;

/** The emulator's base URL, ending in "/". In the merchant's page, it is the folder of Stripe.js. In a frame, whose
 *  script is inline, it is the folder of the frame's document. */
export const baseUrl = new URL(
	".",
	(currentScript instanceof HTMLScriptElement && currentScript.src) || document.location.href,
).href;

export const { api: apiUrl, bank: bankUrl } = hostsOf(new URL(baseUrl));
