import { createContext, type ReactNode, use, useCallback, useState } from "react";

const AnnounceContext = createContext<(message: string) => void>(() => {});

/** Returns a function that shows a message for six seconds. Screen readers announce it without interrupting. */
export function useAnnounce() {
	return use(AnnounceContext);
}

/** Renders the live region. Screen readers announce a message only if the region is in the page before its text
 *  changes. */
export function Announcer({ children }: { children: ReactNode }) {
	const [{ message, turn }, setState] = useState({ message: "", turn: 0 });
	const announce = useCallback((message: string) => setState(({ turn }) => ({ message, turn: turn + 1 })), []);
	return (
		<AnnounceContext value={announce}>
			{children}
			<div className="announcer" role="status">
				{message && (
					<p key={turn} onAnimationEnd={() => announce("")}>
						{message}
					</p>
				)}
			</div>
		</AnnounceContext>
	);
}
