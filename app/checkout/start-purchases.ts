import { isPaying } from "#app/tab/purchase.ts";
import { loadDocument, tab } from "#app/tab/tab.ts";
import { lock } from "./lock.ts";
import { runPurchases } from "./purchase-work.ts";

let isStarted = false;

/** Starts the work of this tab's purchases, once. The card form calls it. */
export function startPurchases(): void {
	if (isStarted) return;
	isStarted = true;
	// shell/session-storage.ts replaces a denied one with an object that the next document does not have
	const handsOver = sessionStorage instanceof Storage;
	runPurchases({ tab, fetch, lock, loadDocument: handsOver ? loadDocument : null });
	addEventListener("online", () => tab.dispatch({ type: "online" }));
}

// Another document has left a payment in progress. Every page imports this code soon (shell/page-code.ts). The server has
// no payment.
if (isPaying(tab.getState().purchase)) startPurchases();
