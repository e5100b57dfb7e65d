import { HELLO } from "./messages.ts";
import { responseTimeout } from "./payment-api.ts";

let frames = 0;

interface Opening<FromFrame> {
	src: string;
	title: string;
	/** The frame has loaded, or loaded again and forgotten everything. */
	onOpen(): void;
	onMessage(message: FromFrame): void;
	/** The frame has not loaded in time. */
	onLost(): void;
}

/** One of the emulator's iframes, as the page has it, with the only line there is to it. */
export class Frame<ToFrame, FromFrame> {
	readonly iframe = document.createElement("iframe");
	readonly #closed = new AbortController();
	#port: MessagePort | null = null;
	#waiting: { message: ToFrame; ports: MessagePort[] }[] = [];

	/** The iframe loads once it is put into the page. */
	constructor({ src, title, onOpen, onMessage, onLost }: Opening<FromFrame>) {
		const { iframe } = this;
		iframe.name = `__privateStripeFrame${++frames}`;
		iframe.title = title;
		iframe.src = src;
		const lost = setTimeout(onLost, responseTimeout);
		this.#closed.signal.addEventListener("abort", () => clearTimeout(lost));
		const hear = ({ data, source }: MessageEvent) => {
			// The frame is sandboxed and has no origin to go by: it is who it is because it is in our iframe.
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
		window.addEventListener("message", hear, { signal: this.#closed.signal });
	}

	/** Before the frame has loaded, a message waits for it. */
	send(message: ToFrame, ports: MessagePort[] = []): void {
		if (this.#port) this.#port.postMessage(message, ports);
		else this.#waiting.push({ message, ports });
	}

	/** Sends a message to be answered; null when no answer comes in time or the frame is closed before. */
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
