import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followFeed } from "./use-order-feed.ts";

/** A WebSocket that the test controls. */
class FakeSocket {
	static readonly CONNECTING = 0;
	static all: FakeSocket[] = [];
	readyState = 0;
	onopen?: () => void;
	onmessage?: ((event: { data: string }) => void) | null;
	onclose?: ((event: { code: number }) => void) | null;
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

	say = (data: string) => this.onmessage?.({ data });
	send = (data: string) => this.sent.push(data);

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
	vi.clearAllMocks();
	vi.spyOn(Math, "random").mockReturnValue(1);
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
});

const happens = (type: string) => (type === "visibilitychange" ? tab : page).dispatchEvent(new Event(type));

test('followFeed opens /orders/feed, and reloads once connected and after each "changed" message', () => {
	expect(FakeSocket.newest.url).toBe("wss://shop.test/orders/feed");
	expect(reload).not.toHaveBeenCalled();
	FakeSocket.newest.open();
	expect(reload).toHaveBeenCalledTimes(1);
	FakeSocket.newest.say("changed");
	FakeSocket.newest.say("pong");
	FakeSocket.newest.say("changed");
	expect(reload).toHaveBeenCalledTimes(3);
});

/** Loses the connection, and asserts that another is opened after this time, in milliseconds. */
function expectReconnectAfter(wait: number) {
	const { length } = FakeSocket.all;
	FakeSocket.newest.end();
	vi.advanceTimersByTime(wait - 1);
	expect(FakeSocket.all).toHaveLength(length);
	vi.advanceTimersByTime(1);
	expect(FakeSocket.all).toHaveLength(length + 1);
}

const waits = [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000];

test("followFeed reconnects after 1, 2, 4, … 60 seconds, and after 1 second again once a connection has lasted", () => {
	for (const wait of waits) expectReconnectAfter(wait);
	FakeSocket.newest.open();
	vi.advanceTimersByTime(25_000);
	expectReconnectAfter(1000);
});

test("followFeed waits ever longer if each connection is accepted and then closed", () => {
	for (const wait of waits) {
		FakeSocket.newest.open();
		expectReconnectAfter(wait);
	}
	expect(reload).toHaveBeenCalledTimes(waits.length);
});

test("random jitter shortens the retry delay by up to half", () => {
	vi.spyOn(Math, "random").mockReturnValue(0);
	expectReconnectAfter(500);
});

test("followFeed replaces a connection that does not respond to a ping", () => {
	const socket = FakeSocket.newest;
	socket.open();
	vi.advanceTimersByTime(25_000);
	expect(socket.sent).toEqual(["ping"]);
	socket.say("pong");
	vi.advanceTimersByTime(25_000);
	expect(socket.sent).toEqual(["ping", "ping"]);
	expect(socket.isLeft).toBe(false);
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
	const socket = FakeSocket.newest;
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

test("a page that is offline again after it has come back before the next retry opens no socket", () => {
	FakeSocket.newest.end();
	happens("online");
	FakeSocket.newest.open();
	happens("offline");
	vi.advanceTimersByTime(3_600_000);
	expect(FakeSocket.all).toHaveLength(2);
});

test("stopping while the socket is connecting closes the socket once it opens", () => {
	const socket = FakeSocket.newest;
	stop();
	expect(socket.isLeft).toBe(false);
	socket.open();
	expect(socket.isLeft).toBe(true);
	expect(reload).not.toHaveBeenCalled();
});

test("after stopping, no event reloads the page or reconnects", () => {
	const socket = FakeSocket.newest;
	socket.open();
	stop();
	vi.clearAllMocks();
	socket.say("changed");
	socket.end();
	happens("online");
	happens("visibilitychange");
	vi.advanceTimersByTime(3_600_000);
	expect(reload).not.toHaveBeenCalled();
	expect(FakeSocket.all).toHaveLength(1);
});
