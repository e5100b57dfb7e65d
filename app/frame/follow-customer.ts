import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation, useNavigate, useNavigation, useRevalidator } from "react-router";
import type { Customer } from "#app/auth/customer.server.ts";
import { forgetCustomer } from "#app/failures/handle-failures.client.ts";
import { buyerKey, guest, isBuyer, latestBuyer, recordBuyer } from "#app/tab/buyer.ts";
import { tab } from "#app/tab/tab.ts";

/** Keeps the page and the signed-in customer current: records a sign-in or sign-out, which notifies the other tabs, and
 *  revalidates the page when one of them reports it, when the page becomes visible again, when the browser is back
 *  online, and at growing intervals while the customer is unknown. Removes the previous customer's data. */
export function useFollowCustomer(loaded: { customer?: Customer | null | undefined } | undefined): void {
	const { revalidate, state } = useRevalidator();
	const isNavigating = useNavigation().state !== "idle";
	const isIdle = !isNavigating && state === "idle";
	const navigate = useNavigate();
	const page = useLocation();
	const [first] = useState(loaded);
	const customerId = loaded?.customer === null ? null : loaded?.customer?.id;

	useEffect(() => {
		if (customerId === undefined) return;
		// the session has ended, or Back shows a page that the browser cached before a sign-in
		const isDisputed = loaded === first && !isBuyer(tab.getState().buyer, customerId);
		const buyer = isDisputed ? (customerId ?? guest) : recordBuyer(customerId);
		tab.dispatch({ type: "buyer_changed", buyer });
		if (isDisputed) void revalidate();
	}, [loaded, first, customerId, revalidate]);

	const interval = useRef(500);
	useEffect(() => {
		if (customerId !== undefined || !isIdle) return;
		interval.current = Math.min(2 * interval.current, 8000);
		const timer = setTimeout(revalidate, interval.current);
		return () => clearTimeout(timer);
	}, [customerId, isIdle, revalidate]);

	// biome-ignore lint/correctness/useExhaustiveDependencies: empties them when the customer changes
	useEffect(() => forgetFirstData, [customerId]);

	const refresh = useEffectEvent(() => {
		const buyer = latestBuyer() ?? tab.getState().buyer;
		if (customerId !== undefined && !isBuyer(buyer, customerId)) forgetCustomer();
		tab.dispatch({ type: "buyer_changed", buyer });
		void revalidate();
	});
	const showAgain = useEffectEvent(() => {
		// the navigation that another document has completed would go on, and leave this page again
		if (isNavigating) void navigate(page, { replace: true, preventScrollReset: true });
		else refresh();
	});

	useEffect(() => {
		const refreshIfSeen = () => document.visibilityState === "visible" && navigator.onLine && refresh();
		const controller = new AbortController();
		const options = { signal: controller.signal };
		addEventListener("storage", ({ key }) => key === buyerKey && refresh(), options);
		addEventListener("pageshow", ({ persisted }) => persisted && showAgain(), options);
		addEventListener("online", refreshIfSeen, options);
		document.addEventListener("visibilitychange", refreshIfSeen, options);
		return () => controller.abort();
	}, []);
}

/** Empties React Router's inline scripts, which contain the data of the first render. Otherwise, the customer's email
 *  and orders would remain in the document after the session ends. Must not be called during hydration. The document may
 *  still be loading then, and emptying a script mid-parse would run only its second half. */
function forgetFirstData(): void {
	for (const script of document.scripts) if (!script.src && script.id !== "pages") script.textContent = "";
}
