import { useEffect } from "react";
import { purchaseKey } from "#app/tab/saved.ts";
import { importPage } from "./page-code.tsx";

/** Starts the work of the tab's purchases if a reload has interrupted a payment, on any page. Otherwise, the card form
 *  starts it, so that other pages need not load its code. */
export function useResumePurchase(): void {
	useEffect(() => {
		// wrap-apis.ts replaces a denied sessionStorage
		if (sessionStorage.getItem(purchaseKey)) void resume();
	}, []);
}

async function resume(): Promise<void> {
	try {
		const { handle } = await importPage("payment");
		handle?.startPurchases();
	} catch {
		addEventListener("online", resume, { once: true });
	}
}
