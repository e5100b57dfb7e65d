import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** Milliseconds between requests, each of which may poll Stripe. */
const interval = 3000;

/** Polls the page's data while `waiting`. */
export function useRevalidateWhile(waiting: boolean): void {
	const { revalidate, state } = useRevalidator();
	useEffect(() => {
		if (!waiting || state !== "idle") return;
		const timer = setTimeout(() => void revalidate(), interval);
		return () => clearTimeout(timer);
	}, [waiting, state, revalidate]);
}
