import { useEffect } from "react";
import { useBlocker } from "react-router";
import { useAnnounce } from "#app/ui/announcer.tsx";

/** While `busy`, links of the shop are blocked with an announcement, and the browser asks before leaving the site.
 *  `isBusy` is read at the moment of a navigation, which may come before the next render. */
export function useStayWhile(busy: boolean, isBusy: () => boolean): void {
	const announce = useAnnounce();
	useBlocker(() => {
		const blocked = isBusy();
		if (blocked) announce("Your payment is being processed. Please stay on this page until it's done.");
		return blocked;
	});
	useEffect(() => {
		if (!busy) return;
		const ask = (event: BeforeUnloadEvent) => event.preventDefault();
		addEventListener("beforeunload", ask);
		return () => removeEventListener("beforeunload", ask);
	}, [busy]);
}
