/** Returns whether something other than the shop has answered a request for data: a firewall's challenge, a captive
 *  portal, or the sign-in page of a company's proxy. Only a document can get past it. A 5xx is a failure, also if it is a
 *  proxy's page. `cf-mitigated`: https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/ */
export function isIntercepted({ type, status, headers }: Response): boolean {
	if (type === "opaqueredirect" || headers.has("cf-mitigated")) return true;
	return status < 500 && headers.get("Content-Type")?.startsWith("text/html") === true;
}

/** What the shopper is told about it. */
export const interceptedAdvice =
	"A security check or your network's sign-in page answered instead of the shop. Load this page again to get past it. Your basket is kept.";

/** The data of a form whose request has failed (failures/handle-failures.client.ts). */
export interface FailedForm {
	refusal: string;
	/** Whether only a document can get past what has answered. */
	needsDocument: boolean;
}
