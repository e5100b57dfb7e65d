import { Frame } from "./frame.ts";
import type { Challenge, FromThreeDSecureFrame, ToThreeDSecureFrame } from "./messages.ts";
import { post } from "./payment-api.ts";
import dialogStyle from "./three-d-secure-dialog.css?raw";

/** Shows the bank's page in a modal dialog, without a time limit. Resolves to true once the cardholder has made a
 *  choice or closed the dialog, or to false if the page cannot be loaded. The caller retrieves the outcome from the
 *  API. */
export function authenticate(page: string, challenge: Challenge): Promise<boolean> {
	const before = document.activeElement;
	const host = document.createElement("div");
	const root = host.attachShadow({ mode: "open" });
	root.adoptedStyleSheets = constructSheets(dialogStyle);
	const dialog = document.createElement("dialog");
	dialog.setAttribute("aria-label", "3D Secure authentication");
	const wait = document.createElement("p");
	wait.textContent = "Connecting to your bank…";
	wait.role = "status";
	root.appendChild(dialog);

	return new Promise((resolve) => {
		let ended = false;
		const end = (loaded: boolean) => {
			ended = true;
			if (dialog.open) dialog.close();
			frame.close();
			host.remove();
			// closing a dialog restores focus to an element of the page, but not to a field in another iframe
			if (before instanceof HTMLElement) before.focus({ preventScroll: true });
			resolve(loaded);
		};
		const frame = new Frame<ToThreeDSecureFrame, FromThreeDSecureFrame>({
			src: page,
			title: "Secure 3D Secure authentication frame",
			onOpen: () => {
				// enable the frame before sending `begin`, because the frame handles input only after that message
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
		// key presses in a frame that has not loaded would be lost, so the dialog keeps the focus until the frame has
		// loaded
		frame.iframe.inert = true;
		const unlock = lockScrolling();
		// the browser can close the dialog at any time, even before the frame loads: report an abandoned authentication
		dialog.addEventListener("close", async () => {
			unlock();
			if (ended) return;
			await abandon(challenge);
			end(true);
		});
		dialog.replaceChildren(wait, frame.iframe);
		document.body.appendChild(host);
		try {
			dialog.showModal();
		} catch {
			dialog.setAttribute("open", "");
		}
	});
}

async function abandon({ key, clientSecret, source }: Challenge): Promise<void> {
	await post(`three_d_secure/${source}/answer`, { key, client_secret: clientSecret, outcome: "abandon" });
}

/** Disables scrolling of the page below without a layout shift. Returns a function that enables scrolling again. */
function lockScrolling(): () => void {
	const scrollBar = window.innerWidth > document.documentElement.clientWidth;
	const lock = constructSheets(
		`:root { overflow: hidden !important; ${scrollBar ? "scrollbar-gutter: stable;" : ""} }`,
	);
	document.adoptedStyleSheets = [...document.adoptedStyleSheets, ...lock];
	return () => {
		document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !lock.includes(sheet));
	};
}

/** Returns a stylesheet with this text, or none if the browser cannot construct one. The Content-Security-Policy of the
 *  page may block inline styles. */
function constructSheets(text: string): CSSStyleSheet[] {
	try {
		const sheet = new CSSStyleSheet();
		sheet.replaceSync(text);
		return [sheet];
	} catch {
		return [];
	}
}
