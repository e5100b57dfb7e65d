import { HELLO } from "./messages.ts";

/** A frame's connection to the embedding page. It uses the first port that the page sends and ignores others, because a
 *  frame belongs to one Element. */
export class PageConnection<FromPage, ToPage> {
	#port: MessagePort | undefined;

	/** Calls `open` once connected, then `onMessage` for each message. `reply` has no effect if the page expects no
	 *  reply. */
	constructor(open: () => void, onMessage: (message: FromPage, reply: (response: object) => void) => void) {
		window.addEventListener("message", ({ source, ports: [offered] }) => {
			if (source !== window.parent || !offered || this.#port) return;
			this.#port = offered;
			offered.onmessage = ({ data, ports: [back] }) => onMessage(data, (response) => back?.postMessage(response));
			open();
		});
		window.parent.postMessage(HELLO, "*");
	}

	send(message: ToPage): void {
		this.#port?.postMessage(message);
	}
}
