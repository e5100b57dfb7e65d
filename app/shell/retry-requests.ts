import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** Maximum delay before a failed request is retried, in milliseconds. */
const maxDelay = 15_000;

const failure = "requestfailed";

export function reportFailure(): void {
	dispatchEvent(new Event(failure));
}

/** Revalidates the page when a request has failed: after a delay, or as soon as the browser is back online.
 *  `useFollowCustomer` revalidates a page that becomes visible. */
export function useRetryRequests(): void {
	const { revalidate } = useRevalidator();
	useEffect(() => {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const retry = () => {
			if (timer !== undefined && navigator.onLine && document.visibilityState === "visible") void revalidate();
		};
		const onFailure = () => {
			clearTimeout(timer);
			// jitter, so that the tabs of all shoppers do not retry simultaneously after an outage
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
