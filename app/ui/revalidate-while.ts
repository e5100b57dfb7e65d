import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** Milliseconds between two requests: an order is polled at Stripe 20 times a minute at most. */
const interval = 3000;

/** Loads the page's data anew, again and again, while `waiting`: what is waited for shows by itself. */
export function useRevalidateWhile(waiting: boolean): void {
	const { revalidate, state } = useRevalidator();
	useEffect(() => {
		if (!waiting || state !== "idle") return;
		const timer = setTimeout(() => void revalidate(), interval);
		return () => clearTimeout(timer);
	}, [waiting, state, revalidate]);
}
