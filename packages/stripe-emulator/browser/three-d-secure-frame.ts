import type { Challenge, FromThreeDSecureFrame, ToThreeDSecureFrame } from "./messages.ts";
import { PageConnection } from "./page-connection.ts";
import { get, post } from "./payment-api.ts";
import { onChoice, type Purchase, show, trapFocus } from "./three-d-secure-page.ts";

/** The script of the bank's page. It sends the cardholder's choice to the API, and no result to the embedding page. */

interface ThreeDSecure extends Purchase {
	status: "pending" | "completed" | "failed";
}

let challenge: Challenge | undefined;
let sending = false;

const page = new PageConnection<ToThreeDSecureFrame, FromThreeDSecureFrame>(
	() => page.send({ say: "ready" }),
	(message) => begin(message.challenge, message.colorScheme),
);

function begin(newChallenge: Challenge, colorScheme: string): void {
	challenge = newChallenge;
	document.documentElement.style.colorScheme = colorScheme;
	void load();
}

/** Shows the purchase, or ends immediately if authentication is no longer pending, for example because another tab
 *  completed it. */
async function load(): Promise<void> {
	if (!challenge) return;
	show("loading");
	const { key, clientSecret, source } = challenge;
	const { done, error } = await get<ThreeDSecure>(`three_d_secure/${source}`, { key, client_secret: clientSecret });
	if (error?.type === "api_connection_error") show("unanswered", load);
	else if (done?.status === "pending") show("asking", done);
	else page.send({ say: "done" });
}

/** Sends the choice and offers a retry after a connection error. The embedding page sends `abandon` to the API. */
async function submit(outcome: "complete" | "fail" | "abandon"): Promise<void> {
	if (outcome === "abandon") return page.send({ say: "leave" });
	if (!challenge || sending) return;
	const { key, clientSecret, source } = challenge;
	sending = true;
	show("sending");
	const { error } = await post(`three_d_secure/${source}/answer`, { key, client_secret: clientSecret, outcome });
	sending = false;
	if (error?.type === "api_connection_error") show("unanswered", () => submit(outcome));
	else page.send({ say: "done" });
}

onChoice(submit);
trapFocus();
