import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** The longest delay before a failed request is sent again, in milliseconds. */
const maxDelay = 15_000;

const failure = "requestfailed";

export function reportFailure(): void {
	dispatchEvent(new Event(failure));
}

/** Revalidates the page after a failed request: after a delay, or as soon as the browser is back online. A page that becomes
 *  visible is revalidated by useFollowCustomer. */
export function useRetryRequests(): void {
	const { revalidate } = useRevalidator();
	useEffect(() => {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const retry = () => {
			if (timer !== undefined && navigator.onLine && document.visibilityState === "visible") void revalidate();
		};
		const onFailure = () => {
			clearTimeout(timer);
			// random, so that the tabs of all shoppers do not retry at once after an outage
			timer = setTimeout(retry, maxDelay * (0.5 + Math.random() / 2));
		};
		const stop = new AbortController();
		addEventListener(failure, onFailure, { signal: stop.signal });
		addEventListener("online", retry, { signal: stop.signal });
		return () => {
			stop.abort();
			clearTimeout(timer);
		};
	}, [revalidate]);
}
