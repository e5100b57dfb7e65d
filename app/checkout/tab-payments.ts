import { tab } from "#app/tab/tab.ts";
import { lock } from "./lock.ts";
import { runPurchases } from "./purchase-work.ts";

// Evaluated once per tab, when the browser imports the payment page's code: every page does so soon after it has loaded.

if (!import.meta.env.SSR) {
	// shell/wrap-apis.ts replaces a denied sessionStorage
	runPurchases(tab, { fetch, saved: sessionStorage, lock });
	addEventListener("online", () => tab.dispatch({ type: "online" }));
}
