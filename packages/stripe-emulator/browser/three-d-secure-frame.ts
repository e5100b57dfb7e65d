import type { Challenge, FromThreeDSecureFrame, ToThreeDSecureFrame } from "./messages.ts";
import { PageLine } from "./page-line.ts";
import { get, post } from "./payment-api.ts";
import { onChoice, type Purchase, show, trapFocus } from "./three-d-secure-page.ts";

/** The script of the bank's page: it asks the shopper and tells the API, and the page around it no more than that it
 *  is done. */

interface ThreeDSecure extends Purchase {
	status: "pending" | "completed" | "failed";
}

let challenge: Challenge | undefined;
let sending = false;

const line = new PageLine<ToThreeDSecureFrame, FromThreeDSecureFrame>(
	() => line.tell({ say: "ready" }),
	(message) => begin(message.challenge, message.colorScheme),
);

function begin(newChallenge: Challenge, colorScheme: string): void {
	challenge = newChallenge;
	document.documentElement.style.colorScheme = colorScheme;
	void load();
}

/** Shows what is to be paid; an authentication that is over already, in another tab perhaps, has nothing to ask. */
async function load(): Promise<void> {
	if (!challenge) return;
	show("loading");
	const { key, clientSecret, source } = challenge;
	const { done, error } = await get<ThreeDSecure>(`three_d_secure/${source}`, { key, client_secret: clientSecret });
	if (error?.type === "api_connection_error") show("unanswered", load);
	else if (done?.status === "pending") show("asking", done);
	else line.tell({ say: "done" });
}

/** Whoever has chosen can try again until there is an answer; for whoever goes away, the page tells the bank. */
async function choose(outcome: "complete" | "fail" | "abandon"): Promise<void> {
	if (outcome === "abandon") return line.tell({ say: "leave" });
	if (!challenge || sending) return;
	const { key, clientSecret, source } = challenge;
	sending = true;
	show("sending");
	const { error } = await post(`three_d_secure/${source}`, { key, client_secret: clientSecret, outcome });
	sending = false;
	if (error?.type === "api_connection_error") show("unanswered", () => choose(outcome));
	else line.tell({ say: "done" });
}

onChoice(choose);
trapFocus();
