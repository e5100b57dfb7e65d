import { createContext, type ReactNode, use, useCallback, useRef, useState } from "react";

/** Shows a message. `picture` and `actions` are shown beside it; screen readers do not announce them. */
type Announce = (message: string, extras?: { picture: ReactNode; actions: ReactNode }) => void;

const AnnounceContext = createContext<Announce>(() => {});

/** Returns a function that shows a message for six seconds, or longer while the pointer or the focus is on it. Screen
 *  readers announce it without interrupting. */
export function useAnnounce(): Announce {
	return use(AnnounceContext);
}

interface AnnouncerProps {
	/** Undefined for a guest, or if the customer could not be loaded. */
	customerId: string | undefined;
	children: ReactNode;
}

/** Renders the live region. Screen readers announce a message only if the region is in the page before its text
 *  changes. A message may be personal, so it is removed when the customer changes. */
export function Announcer({ customerId, children }: AnnouncerProps) {
	const [{ message, extras, turn, shownTo }, setState] = useState<{
		message: string;
		extras?: Parameters<Announce>[1];
		turn: number;
		shownTo: string | undefined;
	}>({ message: "", turn: 0, shownTo: customerId });
	if (shownTo !== customerId) setState({ message: "", turn, shownTo: customerId });
	const toast = useRef<HTMLElement>(null);
	const announce = useCallback<Announce>((message, extras) => {
		// the previous message's time does not count
		for (const animation of toast.current?.getAnimations() ?? []) animation.currentTime = 0;
		setState(({ turn, shownTo }) => ({ message, extras, turn: turn + 1, shownTo }));
	}, []);
	return (
		<AnnounceContext value={announce}>
			{children}
			<section
				aria-label="Message"
				className={message && "toast"}
				ref={toast}
				onAnimationEnd={({ animationName, target, currentTarget }) =>
					animationName === "passing" && target === currentTarget && announce("")
				}
			>
				{extras?.picture}
				<div role="status">{message && <p key={turn}>{message}</p>}</div>
				{extras?.actions}
			</section>
		</AnnounceContext>
	);
}
