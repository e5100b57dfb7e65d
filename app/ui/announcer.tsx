import { type ReactNode, useLayoutEffect, useSyncExternalStore } from "react";
import { attempt } from "./attempt.ts";
import { createStore } from "./store.ts";

interface Message {
	text: string;
	/** Shown beside the text. Screen readers do not announce them. */
	picture?: ReactNode;
	actions?: ReactNode;
	/** Whether the message is not about the current page, so that it stays after a navigation. */
	isKept?: boolean;
}

/** `turn` differs for each message, even if its text is the same. */
type Shown = Message & { turn: number };

const none: Shown = { text: "", turn: 0 };
const messages = createStore<Shown, Message>(({ turn }, message) => ({ ...message, turn: turn + 1 }), none);

/** Shows a message for six seconds, or longer while the pointer or the focus is on it. Screen readers announce it without
 *  interrupting. */
export function announce(text: string, options?: Omit<Message, "text">): void {
	// the previous message's time does not count
	attempt(() => {
		for (const animation of document.querySelector(".toast")?.getAnimations() ?? []) animation.currentTime = 0;
	});
	messages.dispatch({ text, ...options });
}

/** Closes a message about the page that a navigation has left. */
export function closeMessage(): void {
	if (!messages.getState().isKept) announce("");
}

/** Renders the live region. Screen readers announce a message only if the region is in the page before its text
 *  changes. A message may be personal, so it is removed when the customer changes. `customerId` is undefined for a
 *  guest, or if the customer could not be loaded. */
export function Announcer({ customerId }: { customerId: string | undefined }) {
	const { text, picture, actions, turn } = useSyncExternalStore(messages.subscribe, messages.getState, () => none);
	// biome-ignore lint/correctness/useExhaustiveDependencies: removes the message when the customer changes
	useLayoutEffect(() => () => announce(""), [customerId]);
	return (
		<section
			aria-label="Message"
			className={text && "toast"}
			onAnimationEnd={({ animationName, target, currentTarget }) =>
				animationName === "passing" && target === currentTarget && announce("")
			}
		>
			{picture}
			<div role="status">{text && <p key={turn}>{text}</p>}</div>
			{actions}
		</section>
	);
}
