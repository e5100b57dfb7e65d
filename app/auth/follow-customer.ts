import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import { forgetCustomer } from "./known-customer.ts";

/** Keeps the signed-in customer in sync across tabs: notifies the other tabs of a sign-in or sign-out, and revalidates
 *  the page when it is notified or becomes visible. Removes the previous customer's data from the document.
 *  `customerId` is null for a guest, and undefined if it could not be loaded. Calls `onSignIn`, a constant function, when
 *  someone has signed in, in this tab or in another. */
export function useFollowCustomer(customerId: string | null | undefined, onSignIn: () => void): void {
	const { revalidate } = useRevalidator();
	const latest = useRef(customerId);

	useEffect(() => {
		const channel = new BroadcastChannel("auth");
		if (customerId !== undefined) {
			if (latest.current !== customerId) channel.postMessage(customerId);
			if (customerId !== null) onSignIn();
			latest.current = customerId;
		}

		channel.onmessage = ({ data }) => {
			if (latest.current !== data) forgetCustomer();
			if (data !== null) onSignIn();
			// don't rebroadcast a change that came from another tab
			latest.current = data;
			void revalidate();
		};
		const onVisible = () => {
			if (document.visibilityState === "visible" && navigator.onLine) void revalidate();
		};
		document.addEventListener("visibilitychange", onVisible);
		return () => {
			forgetFirstData();
			channel.close();
			document.removeEventListener("visibilitychange", onVisible);
		};
	}, [customerId, revalidate, onSignIn]);
}

/** Empties the inline scripts, which contain the data of the first render. Otherwise, the customer's email and orders
 *  would remain in the document after the session ends. Must not be called during hydration. The document may still be
 *  loading then, and emptying a script mid-parse would run only its second half. */
function forgetFirstData(): void {
	for (const script of document.scripts) if (!script.src) script.textContent = "";
}
