import { HELLO } from "./messages.ts";

/** A frame's line to the page around it, over the first port that the page sends: a frame belongs to one Element. */
export class PageLine<FromPage, ToPage> {
	#port: MessagePort | undefined;

	/** `hear` gets what the page says and, where it waits for an answer, the means to give one. `open` is called first. */
	constructor(open: () => void, hear: (message: FromPage, reply: (result: object) => void) => void) {
		window.addEventListener("message", ({ source, ports: [offered] }) => {
			if (source !== window.parent || !offered || this.#port) return;
			this.#port = offered;
			offered.onmessage = ({ data, ports: [back] }) => hear(data, (result) => back?.postMessage(result));
			open();
		});
		window.parent.postMessage(HELLO, "*");
	}

	tell(message: ToPage): void {
		this.#port?.postMessage(message);
	}
}
