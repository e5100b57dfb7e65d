import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followFeed } from "./use-order-feed.ts";

/** A WebSocket that the test controls. */
class FakeSocket {
	static readonly CONNECTING = 0;
	static all: FakeSocket[] = [];
	readyState = 0;
	onopen: (() => void) | null = null;
	onmessage: ((event: { data: string }) => void) | null = null;
	onclose: ((event: { code: number }) => void) | null = null;
	readonly sent: string[] = [];
	isLeft = false;

	constructor(readonly url: string) {
		FakeSocket.all.push(this);
	}

	static get newest(): FakeSocket {
		const socket = FakeSocket.all.at(-1);
		if (!socket) throw new Error("no socket was opened");
		return socket;
	}

	open() {
		this.readyState = 1;
		this.onopen?.();
	}

	/** Simulates the network or the server closing the socket. */
	end(code = 1006) {
		this.readyState = 3;
		this.onclose?.({ code });
	}

	say(data: string) {
		this.onmessage?.({ data });
	}

	send(data: string) {
		this.sent.push(data);
	}

	close() {
		this.isLeft = true;
	}
}

const [reload, onSessionEnd] = [vi.fn(), vi.fn()];
let page: EventTarget;
let tab: EventTarget & { visibilityState: string };
let stop: () => void;

beforeEach(() => {
	vi.useFakeTimers();
	vi.spyOn(Math, "random").mockReturnValue(1);
	reload.mockReset();
	onSessionEnd.mockReset();
	FakeSocket.all = [];
	page = new EventTarget();
	tab = Object.assign(new EventTarget(), { visibilityState: "visible" });
	vi.stubGlobal("WebSocket", FakeSocket);
	vi.stubGlobal("location", { origin: "https://shop.test" });
	vi.stubGlobal("document", tab);
	vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
	stop = followFeed(reload, onSessionEnd);
});
afterEach(() => {
	stop();
	vi.useRealTimers();
	vi.unstubAllGlobals();
	vi.restoreAllMocks();
});

const happens = (type: string) => (type === "visibilitychange" ? tab : page).dispatchEvent(new Event(type));

test("followFeed opens /orders/feed and reloads once connected", () => {
	expect(FakeSocket.newest.url).toBe("wss://shop.test/orders/feed");
	expect(reload).not.toHaveBeenCalled();
	FakeSocket.newest.open();
	expect(reload).toHaveBeenCalledTimes(1);
});

test('a "changed" message reloads the page, and a "pong" does not', () => {
	FakeSocket.newest.open();
	FakeSocket.newest.say("changed");
	FakeSocket.newest.say("pong");
	FakeSocket.newest.say("changed");
	expect(reload).toHaveBeenCalledTimes(3);
});

test("followFeed reconnects after 1, 2, 4, … 60 seconds, and after 1 second again once a connection has opened", () => {
	const waits: number[] = [];
	const lose = () => {
		const before = FakeSocket.all.length;
		const since = Date.now();
		FakeSocket.newest.end();
		while (FakeSocket.all.length === before) vi.advanceTimersToNextTimer();
		waits.push(Date.now() - since);
	};
	for (let attempt = 0; attempt < 8; attempt++) lose();
	expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
	FakeSocket.newest.open();
	lose();
	expect(waits.at(-1)).toBe(1000);
});

test("random jitter shortens the retry delay by up to half", () => {
	vi.spyOn(Math, "random").mockReturnValue(0);
	FakeSocket.newest.end();
	vi.advanceTimersByTime(499);
	expect(FakeSocket.all).toHaveLength(1);
	vi.advanceTimersByTime(1);
	expect(FakeSocket.all).toHaveLength(2);
});

test("followFeed replaces a connection that does not respond to a ping", () => {
	const [socket] = [FakeSocket.newest];
	socket.open();
	for (let beat = 1; beat <= 3; beat++) {
		vi.advanceTimersByTime(25_000);
		expect(socket.sent).toHaveLength(beat);
		socket.say("pong");
	}
	expect(socket.sent).toEqual(["ping", "ping", "ping"]);
	vi.advanceTimersByTime(25_000);
	vi.advanceTimersByTime(25_000);
	expect(socket.isLeft).toBe(true);
	vi.advanceTimersByTime(1000);
	expect(FakeSocket.all).toHaveLength(2);
});

test("followFeed reports the end of the session once and does not reconnect", () => {
	FakeSocket.newest.open();
	FakeSocket.newest.end(4001);
	expect(onSessionEnd).toHaveBeenCalledTimes(1);
	happens("online");
	happens("pageshow");
	happens("visibilitychange");
	vi.advanceTimersByTime(3_600_000);
	expect(FakeSocket.all).toHaveLength(1);
});

test.each([
	["pagehide", "pageshow"],
	["offline", "online"],
	["offline", "visibilitychange"],
])("%s closes the socket, and %s opens a new one", (leave, comeBack) => {
	const [socket] = [FakeSocket.newest];
	socket.open();
	happens(leave);
	expect(socket.isLeft).toBe(true);
	vi.advanceTimersByTime(3_600_000);
	expect(FakeSocket.all).toHaveLength(1);
	tab.visibilityState = "hidden";
	happens("visibilitychange");
	expect(FakeSocket.all).toHaveLength(1);
	tab.visibilityState = "visible";
	happens(comeBack);
	happens(comeBack);
	expect(FakeSocket.all).toHaveLength(2);
});

test("stopping while the socket is connecting closes the socket once it opens", () => {
	const [socket] = [FakeSocket.newest];
	stop();
	expect(socket.isLeft).toBe(false);
	socket.open();
	expect(socket.isLeft).toBe(true);
	expect(reload).not.toHaveBeenCalled();
});

test("after stopping, no event reloads the page or reconnects", () => {
	const [socket] = [FakeSocket.newest];
	socket.open();
	stop();
	reload.mockReset();
	socket.say("changed");
	socket.end();
	happens("online");
	happens("visibilitychange");
	vi.advanceTimersByTime(3_600_000);
	expect(reload).not.toHaveBeenCalled();
	expect(FakeSocket.all).toHaveLength(1);
});
