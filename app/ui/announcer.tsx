import { createContext, type ReactNode, use, useCallback, useEffect, useState } from "react";
import { useLocation } from "react-router";

/** `nextPage` is the path of the page on which the message stays; it ends with any other. */
type Announce = (message: string, nextPage?: string) => void;

const AnnounceContext = createContext<Announce>(() => {});

/** Returns a function that shows a message for a moment; screen readers read it without interrupting. */
export function useAnnounce(): Announce {
	return use(AnnounceContext);
}

interface Message {
	message?: string;
	turn: number;
	nextPage?: string | undefined;
}

/** Holds the live region, which must be in the page before its text changes for screen readers to notice. */
export function Announcer({ children }: { children: ReactNode }) {
	const [{ message, turn }, setState] = useState<Message>({ turn: 0 });
	const announce = useCallback<Announce>(
		(message, nextPage) => setState(({ turn }) => ({ message, nextPage, turn: turn + 1 })),
		[],
	);
	const { pathname } = useLocation();
	useEffect(() => setState((state) => (state.nextPage === pathname ? state : { turn: 0 })), [pathname]);

	return (
		<AnnounceContext value={announce}>
			{children}
			<div className="announcer" role="status">
				{message && <p key={turn}>{message}</p>}
			</div>
		</AnnounceContext>
	);
}
