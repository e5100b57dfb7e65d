import { tab } from "#app/tab/tab.ts";
import { lock } from "./lock.ts";
import { runPayments } from "./payments.ts";

// Evaluated once per tab, when the browser imports the payment page's code: every page does so soon after it has loaded.

if (!import.meta.env.SSR) {
	runPayments(tab, {
		fetch,
		// pass functions, because reading `sessionStorage` throws if storage is denied
		saved: {
			getItem: (key) => sessionStorage.getItem(key),
			setItem: (key, value) => sessionStorage.setItem(key, value),
			removeItem: (key) => sessionStorage.removeItem(key),
		},
		lock,
	});
	addEventListener("online", () => tab.dispatch({ type: "online" }));
}
