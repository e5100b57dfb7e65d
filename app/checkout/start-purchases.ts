import { loadDocument, tab } from "#app/tab/tab.ts";
import { lock } from "./lock.ts";
import { runPurchases } from "./purchase-work.ts";

// Every page imports this code soon (shell/page-code.ts), because another document of the tab may have left a payment in
// progress. The server has no payment.
if (!import.meta.env.SSR) {
	// shell/session-storage.ts replaces a denied one with an object that the next document does not have
	const handsOver = sessionStorage instanceof Storage;
	runPurchases({ tab, fetch, lock, loadDocument: handsOver ? loadDocument : null });
	addEventListener("online", () => tab.dispatch({ type: "online" }));
}
