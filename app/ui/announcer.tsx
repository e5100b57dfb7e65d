import { type PointerEvent, type ReactNode, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { createStore } from "./store.ts";
import { tryApi } from "./try-api.ts";

interface Message {
	text: string;
	/** The anchor of the `Toast` that renders it, after the button that caused it. By default, after the page. */
	anchor?: string | undefined;
	/** Shown beside the text. */
	picture?: ReactNode;
	actions?: ReactNode;
	/** Names the actions that follow, for screen readers. */
	hint?: string;
	/** What does not close the message: a navigation, or also the sign-in that it reports. */
	stays?: "navigation" | "sign-in";
}

/** `turn` differs for each message, even if its text is the same. */
type Shown = Message & { turn: number };

const none: Shown = { text: "", turn: 0 };
const messages = createStore<Shown, Message>(({ turn }, message) => ({ ...message, turn: turn + 1 }), none);

const useMessage = () => useSyncExternalStore(messages.subscribe, messages.getState, () => none);

/** Shows a message for six seconds, or longer while the focus is in it or the pointer moves over it. Screen readers
 *  announce it without interrupting. */
export function announce(text: string, options?: Omit<Message, "text">): void {
	messages.dispatch({ text, ...options });
}

/** Closes a message about the page that a navigation has left. */
export function closeMessage(): void {
	if (!messages.getState().stays) announce("");
}

/** Renders the live region, and the messages that no button causes. Screen readers announce a message only if
 *  the region is in the page before its text changes. A message may be personal, so it is removed when another customer
 *  or a guest follows. `customerId` is null for a guest, and undefined while the customer is not known. */
export function Announcer({ customerId }: { customerId: string | null | undefined }) {
	const { text, hint, turn } = useMessage();
	const known = useRef(customerId);
	useLayoutEffect(() => {
		if (customerId === undefined) return;
		const isOther = known.current !== undefined && known.current !== customerId;
		if (isOther && messages.getState().stays !== "sign-in") announce("");
		known.current = customerId;
	}, [customerId]);
	return (
		<>
			<Toast />
			<div role="status" className="unseen">
				{text && <p key={turn}>{hint ? `${text} ${hint}` : text}</p>}
			</div>
		</>
	);
}

/** Renders the message with this anchor, if there is one. */
export function Toast({ anchor }: { anchor?: string }) {
	const { text, picture, actions, turn, ...message } = useMessage();
	if (!text || message.anchor !== anchor) return null;

	function close({ currentTarget }: { currentTarget: Element }) {
		focusBefore(currentTarget);
		announce("");
	}

	/** Restarts the message's six seconds. */
	function keep({ currentTarget }: PointerEvent) {
		tryApi(() => {
			for (const animation of currentTarget.getAnimations()) animation.currentTime = 0;
		});
	}

	return (
		<fieldset
			className="toast"
			aria-label="Message"
			key={turn}
			ref={avoidButton}
			// what has the focus next could be behind it
			onBlur={({ currentTarget, relatedTarget }) =>
				relatedTarget instanceof Node && !currentTarget.contains(relatedTarget) && announce("")
			}
			onKeyDown={(event) => event.key === "Escape" && close(event)}
			onPointerMove={keep}
			onAnimationEnd={({ animationName, target, currentTarget }) =>
				animationName === "passing" && target === currentTarget && announce("")
			}
		>
			{picture}
			<p>{text}</p>
			{actions}
			<button type="button" aria-label="Close message" onClick={close}>
				✕
			</button>
		</fieldset>
	);
}

/** Shows a message in the half of the window in which its button is not, so that another press reaches the button. At
 *  the top, it is below what is visible of the header. */
function avoidButton(toast: HTMLElement | null): void {
	if (!toast) return;
	const { top = 0 } = toast.previousElementSibling?.getBoundingClientRect() ?? {};
	const { bottom = 0 } = document.querySelector("header")?.getBoundingClientRect() ?? {};
	toast.classList.toggle("high", top > innerHeight / 2);
	toast.style.setProperty("--above", `${Math.max(0, bottom)}px`);
}

/** Focuses the button that a toast follows, or else the page. Call it before a control in the toast disappears. */
export function focusBefore(element: Element): void {
	const before = element.closest(".toast")?.previousElementSibling;
	const target = before instanceof HTMLButtonElement ? before : element.closest("main");
	target?.focus({ preventScroll: true });
}
