const { currentScript } = document;

/** Where the emulator is mounted, ending in "/". In the merchant's page that is the folder of Stripe.js, and in a frame,
 *  whose script is inline, the folder of the frame's document. */
export const baseUrl = new URL(
	".",
	(currentScript instanceof HTMLScriptElement && currentScript.src) || document.location.href,
).href;
