import { Frame } from "./frame.ts";
import type { Challenge, FromThreeDSecureFrame, ToThreeDSecureFrame } from "./messages.ts";
import { post } from "./payment-api.ts";
import dialogStyle from "./three-d-secure-dialog.css?raw";

/** Shows the bank's page in a modal dialog until the shopper has done with it, however long they take; leaving it by
 *  Escape counts as an answer too. Resolves with whether the bank could be asked: false when its page cannot be loaded.
 *  What was answered, only the API tells. */
export function authenticate(page: string, challenge: Challenge): Promise<boolean> {
	const before = document.activeElement;
	const host = document.createElement("div");
	const root = host.attachShadow({ mode: "open" });
	const style = new CSSStyleSheet();
	style.replaceSync(dialogStyle);
	root.adoptedStyleSheets = [style];
	const dialog = document.createElement("dialog");
	dialog.setAttribute("aria-label", "3D Secure authentication");
	const wait = document.createElement("p");
	wait.textContent = "Connecting to your bank…";
	wait.role = "status";
	root.appendChild(dialog);

	return new Promise((resolve) => {
		let over = false;
		const end = (reached: boolean) => {
			over = true;
			if (dialog.open) dialog.close();
			frame.close();
			host.remove();
			// The browser gives the focus back to an element of the page, but not into another iframe.
			if (before instanceof HTMLElement) before.focus({ preventScroll: true });
			resolve(reached);
		};
		const frame = new Frame<ToThreeDSecureFrame, FromThreeDSecureFrame>({
			src: page,
			title: "Secure 3D Secure authentication frame",
			onOpen: () => {
				// before anything can be clicked in it
				frame.iframe.inert = false;
				frame.send({ say: "begin", challenge, colorScheme: getComputedStyle(dialog).colorScheme });
			},
			onMessage: ({ say }) => {
				if (say === "done") return end(true);
				if (say === "leave") return dialog.close();
				wait.remove();
				frame.iframe.focus();
			},
			onLost: () => end(false),
		});
		// A key pressed in a frame that has not loaded is heard by nobody: until it has, the dialog has the focus.
		frame.iframe.inert = true;
		const unlock = lockScrolling();
		// However the browser came to close it, before the bank's page was there perhaps: the bank is told.
		dialog.addEventListener("close", async () => {
			unlock();
			if (over) return;
			await abandon(challenge);
			end(true);
		});
		dialog.replaceChildren(wait, frame.iframe);
		document.body.appendChild(host);
		dialog.showModal();
	});
}

async function abandon({ key, clientSecret, source }: Challenge): Promise<void> {
	await post(`three_d_secure/${source}`, { key, client_secret: clientSecret, outcome: "abandon" });
}

/** Keeps the page below from scrolling, without it moving as its scroll bar goes. Call what is returned to let go. */
function lockScrolling(): () => void {
	const lock = new CSSStyleSheet();
	const scrollBar = window.innerWidth > document.documentElement.clientWidth;
	lock.replaceSync(`:root { overflow: hidden !important; ${scrollBar ? "scrollbar-gutter: stable;" : ""} }`);
	document.adoptedStyleSheets = [...document.adoptedStyleSheets, lock];
	return () => {
		document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== lock);
	};
}
