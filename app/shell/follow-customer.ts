import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import { forgetReceipt } from "#app/orders/saved-receipt.ts";
import { forgetCustomer } from "./keep-shop.client.ts";

/** Keeps the page and the signed-in customer current: notifies the other tabs of a sign-in or sign-out, and revalidates
 *  the page when another tab reports one, when the page becomes visible, and when the browser is back online. Removes
 *  the previous customer's data from the document, and the guest's receipt when someone signs in. `customerId` is null
 *  for a guest, and undefined if it could not be loaded. */
export function useFollowCustomer(customerId: string | null | undefined): void {
	const { revalidate } = useRevalidator();
	const latest = useRef(customerId);

	useEffect(() => {
		const channel = new BroadcastChannel("auth");
		if (customerId !== undefined) {
			if (latest.current !== customerId) channel.postMessage(customerId);
			if (customerId !== null) forgetReceipt();
			latest.current = customerId;
		}

		channel.onmessage = ({ data }) => {
			if (latest.current !== data) forgetCustomer();
			if (data !== null) forgetReceipt();
			// don't rebroadcast a change that came from another tab
			latest.current = data;
			void revalidate();
		};
		const refresh = () => {
			if (document.visibilityState === "visible" && navigator.onLine) void revalidate();
		};
		document.addEventListener("visibilitychange", refresh);
		addEventListener("online", refresh);
		return () => {
			forgetFirstData();
			channel.close();
			document.removeEventListener("visibilitychange", refresh);
			removeEventListener("online", refresh);
		};
	}, [customerId, revalidate]);
}

/** Empties the inline scripts, which contain the data of the first render. Otherwise, the customer's email and orders
 *  would remain in the document after the session ends. Must not be called during hydration. The document may still be
 *  loading then, and emptying a script mid-parse would run only its second half. */
function forgetFirstData(): void {
	for (const script of document.scripts) if (!script.src) script.textContent = "";
}
