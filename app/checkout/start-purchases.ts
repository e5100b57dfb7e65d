import { tab } from "#app/tab/tab.ts";
import { lock } from "./lock.ts";
import { runPurchases } from "./purchase-work.ts";

let isStarted = false;

/** Starts the work of this tab's purchases, once. The card form calls it, and so does any page after a reload that has
 *  interrupted a payment. */
export function startPurchases(): void {
	if (isStarted) return;
	isStarted = true;
	// shell/wrap-apis.ts replaces a denied sessionStorage
	runPurchases(tab, { fetch, saved: sessionStorage, lock });
	addEventListener("online", () => tab.dispatch({ type: "online" }));
}
