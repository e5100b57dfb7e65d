import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation } from "react-router";

/** Calls `act` after each client navigation to another page. */
export function useOnNavigation(act: () => void): void {
	const { pathname, search } = useLocation();
	// a form's submission may respell the query: ?ref becomes ?ref=
	const page = pathname + new URLSearchParams(search);
	const shown = useRef(page);
	const onChange = useEffectEvent(act);
	useEffect(() => {
		if (shown.current === page) return;
		shown.current = page;
		onChange();
	}, [page]);
}
