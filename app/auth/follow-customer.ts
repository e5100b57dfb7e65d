import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import { forgetCustomer } from "./known-customer.ts";

/** Keeps this tab's idea of who is signed in true: signing in or out here tells the other tabs, and hearing of it or
 *  becoming visible again asks the server. Of whoever was signed in before nothing stays in the page. Baskets are not
 *  touched. */
export function useFollowCustomer(customerId: string | null): void {
	const { revalidate } = useRevalidator();
	const told = useRef(customerId);

	useEffect(() => {
		const channel = new BroadcastChannel("auth");
		if (told.current !== customerId) channel.postMessage(customerId);
		told.current = customerId;

		const ask = () => void revalidate();
		channel.onmessage = ({ data }) => {
			// the answer to what another tab said needs no telling back
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
