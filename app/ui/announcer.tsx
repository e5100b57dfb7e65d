import { createContext, type ReactNode, use, useCallback, useEffect, useState } from "react";
import { useLocation } from "react-router";

const AnnounceContext = createContext<(message: string) => void>(() => {});

/** Says a sentence to everybody: shown for a moment, and read out by screen readers without interrupting them. */
export function useAnnounce(): (message: string) => void {
	return use(AnnounceContext);
}

/** Holds the live region, which must be in the page before its text changes for screen readers to notice. */
export function Announcer({ children }: { children: ReactNode }) {
	const [{ message, turn }, setState] = useState({ message: "", turn: 0 });
	const announce = useCallback((next: string) => setState(({ turn }) => ({ message: next, turn: turn + 1 })), []);
	const { pathname } = useLocation();

	// biome-ignore lint/correctness/useExhaustiveDependencies: what was said belongs to the page it was said on
	useEffect(() => setState({ message: "", turn: 0 }), [pathname]);

	return (
		<AnnounceContext value={announce}>
			{children}
			<div className="announcer" role="status">
				{message && <p key={turn}>{message}</p>}
			</div>
		</AnnounceContext>
	);
}
