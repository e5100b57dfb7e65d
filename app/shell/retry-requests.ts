import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** Milliseconds, at most, until a failed request is sent again. */
const maxDelay = 15_000;

const failure = "requestfailed";

export function reportFailure(): void {
	dispatchEvent(new Event(failure));
}

/** Loads the page's data again after a request has failed: after a while, or at once when the browser is back online. A
 *  page that becomes visible is loaded again anyway (see useFollowCustomer). */
export function useRetryRequests(): void {
	const { revalidate } = useRevalidator();
	useEffect(() => {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const retry = () => {
			if (timer !== undefined && navigator.onLine && document.visibilityState === "visible") void revalidate();
		};
		const onFailure = () => {
			clearTimeout(timer);
			// not all tabs at once: a failure of the shop fails them together
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
