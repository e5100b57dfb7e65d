import { useEffect, useRef } from "react";
import { useBlocker } from "react-router";
import { useAnnounce } from "#app/ui/announcer.tsx";

/** While `busy`, links of the shop stay where they are and say why, and leaving the site asks first. The function it
 *  returns lets go before the next render does. */
export function useStayWhile(busy: boolean): () => void {
	const staying = useRef(busy);
	staying.current = busy;
	const announce = useAnnounce();
	const blocker = useBlocker(() => staying.current);
	useEffect(() => {
		if (blocker.state !== "blocked") return;
		blocker.reset();
		announce("Your payment is being processed. Please stay on this page until it is done.");
	}, [blocker, announce]);
	useEffect(() => {
		if (!busy) return;
		const ask = (event: BeforeUnloadEvent) => event.preventDefault();
		addEventListener("beforeunload", ask);
		return () => removeEventListener("beforeunload", ask);
	}, [busy]);
	return () => {
		staying.current = false;
	};
}
