import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import { forgetCustomer } from "./known-customer.ts";

/** Keeps the signed-in customer current: signing in or out here notifies the other tabs, and a notification, or becoming
 *  visible again, reloads the page's data. Of the former customer nothing stays in the page. Baskets are not touched.
 *  `customerId` is null for a guest, and undefined when it could not be loaded. */
export function useFollowCustomer(customerId: string | null | undefined): void {
	const { revalidate } = useRevalidator();
	const told = useRef(customerId);

	useEffect(() => {
		const channel = new BroadcastChannel("auth");
		if (customerId !== undefined) {
			if (told.current !== customerId) channel.postMessage(customerId);
			told.current = customerId;
		}

		const ask = () => void revalidate();
		channel.onmessage = ({ data }) => {
			// don't rebroadcast a change that came from another tab
			if (told.current !== data) forgetCustomer();
			told.current = data;
			ask();
		};
		const onVisible = () => {
			if (document.visibilityState === "visible" && navigator.onLine) ask();
		};
		document.addEventListener("visibilitychange", onVisible);
		return () => {
			forgetFirstData();
			channel.close();
			document.removeEventListener("visibilitychange", onVisible);
		};
	}, [customerId, revalidate]);
}

/** The data that the page was first rendered from stands in its scripts: e-mail and orders would outlive their session
 *  there. Only scripts that have run may be emptied: one that the browser still reads would run from its middle, and the
 *  page can still be coming while React is already there. */
function forgetFirstData(): void {
	for (const script of document.scripts) if (!script.src) script.textContent = "";
}
