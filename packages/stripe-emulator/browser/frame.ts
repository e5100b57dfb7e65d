import { HELLO } from "./messages.ts";
import { responseTimeout } from "./payment-api.ts";

let frames = 0;

interface Opening<FromFrame> {
	src: string;
	title: string;
	/** Called when the frame has loaded, or has reloaded and lost its state. */
	onOpen(): void;
	onMessage(message: FromFrame): void;
	/** Called if the frame does not load in time. */
	onLost(): void;
}

/** One of the emulator's iframes in the merchant's page, with the MessagePort that connects to it. */
export class Frame<ToFrame, FromFrame> {
	readonly iframe = document.createElement("iframe");
	readonly #closed = new AbortController();
	#port: MessagePort | null = null;
	#waiting: { message: ToFrame; ports: MessagePort[] }[] = [];

	/** The iframe loads when it is inserted into the document. */
	constructor({ src, title, onOpen, onMessage, onLost }: Opening<FromFrame>) {
		const { iframe } = this;
		iframe.name = `__privateStripeFrame${++frames}`;
		iframe.title = title;
		iframe.src = src;
		const lost = setTimeout(onLost, responseTimeout);
		this.#closed.signal.addEventListener("abort", () => clearTimeout(lost));
		const connect = ({ data, source }: MessageEvent) => {
			// A sandboxed frame has an opaque origin, so we compare `source` with our iframe's window.
			if (data !== HELLO || !iframe.contentWindow || source !== iframe.contentWindow) return;
			clearTimeout(lost);
			const { port1, port2 } = new MessageChannel();
			port1.onmessage = ({ data }) => onMessage(data);
			iframe.contentWindow.postMessage(null, "*", [port2]);
			this.#port?.close();
			this.#port = port1;
			onOpen();
			for (const { message, ports } of this.#waiting.splice(0)) port1.postMessage(message, ports);
		};
		window.addEventListener("message", connect, { signal: this.#closed.signal });
	}

	/** Sends a message. Messages are queued until the frame has loaded. */
	send(message: ToFrame, ports: MessagePort[] = []): void {
		if (this.#port) this.#port.postMessage(message, ports);
		else this.#waiting.push({ message, ports });
	}

	/** Sends a message. Resolves to its reply, or to null if the reply times out or the frame is closed first. */
	request<Reply>(message: ToFrame): Promise<Reply | null> {
		const { port1, port2 } = new MessageChannel();
		return new Promise((resolve) => {
			const settle = (reply: Reply | null) => {
				clearTimeout(timer);
				port1.close();
				resolve(reply);
			};
			const timer = setTimeout(() => settle(null), responseTimeout);
			this.#closed.signal.addEventListener("abort", () => settle(null));
			port1.onmessage = ({ data }) => settle(data);
			this.send(message, [port2]);
		});
	}

	close(): void {
		this.#closed.abort();
		this.#port?.close();
		this.iframe.remove();
	}
}
