import { useEffect } from "react";
import { useBlocker } from "react-router";
import { useAnnounce } from "#app/ui/announcer.tsx";
import { stayNotice } from "./opened-checkout.ts";

/** While `busy`, links of the shop are blocked with an announcement, and the browser asks before leaving the site.
 *  `isBusy` is read at the moment of a navigation, which may come before the next render. */
export function useStayWhile(busy: boolean, isBusy: () => boolean): void {
	const announce = useAnnounce();
	useBlocker(() => {
		const blocked = isBusy();
		if (blocked) announce(stayNotice);
		return blocked;
	});
	useEffect(() => {
		if (!busy) return;
		const ask = (event: BeforeUnloadEvent) => event.preventDefault();
		addEventListener("beforeunload", ask);
		return () => removeEventListener("beforeunload", ask);
	}, [busy]);
}
