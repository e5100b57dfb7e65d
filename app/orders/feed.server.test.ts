import { beforeEach, expect, test, vi } from "vitest";
import { openRequest, timeouts } from "../../tests/support/unit-request.ts";
import { connectFeed, disconnectFeed, notifyFeed } from "./feed.server.ts";

const notify = vi.fn<() => Promise<void>>();
const close = vi.fn<(session: string) => Promise<void>>();
const upgrade = vi.fn<(request: Request) => Promise<Response>>();
const orderFeed = vi.fn((_userId: string) => ({ fetch: upgrade, notify, disconnect: close }));
const { services } = openRequest("/", "", undefined, { orderFeed, timeouts: { ...timeouts, feed: 2000 } });
const logged = vi.spyOn(console, "error").mockReturnValue();

const session = { id: "hash of a session", userId: "ada", email: "ada@example.com", expiresAt: 90 };

beforeEach(() => {
	vi.useFakeTimers();
	vi.clearAllMocks();
	notify.mockResolvedValue();
	close.mockResolvedValue();
});

test("connectFeed forwards a WebSocket upgrade to the customer's feed and returns its response", async () => {
	const response = new Response();
	upgrade.mockResolvedValue(response);
	expect(await connectFeed(services, session)).toBe(response);
	const [[request] = []] = upgrade.mock.calls;
	expect(orderFeed.mock.calls).toEqual([["ada"]]);
	expect(request?.url).toBe("https://feed/?session=hash+of+a+session&expires=90");
	expect(request?.headers.get("Upgrade")).toBe("websocket");
});

test("notifyFeed and disconnectFeed call the customer's feed, disconnect with the session's id", async () => {
	await notifyFeed(services, "ada");
	await disconnectFeed(services, session);
	expect(orderFeed.mock.calls).toEqual([["ada"], ["ada"]]);
	expect([notify.mock.calls, close.mock.calls]).toEqual([[[]], [[session.id]]]);
	expect(vi.getTimerCount()).toBe(0);
});

test("for a guest, no feed is called", async () => {
	await notifyFeed(services, null);
	await disconnectFeed(services, null);
	expect([orderFeed.mock.calls, logged.mock.calls]).toEqual([[], []]);
});

test("a feed that fails is logged, and the call resolves", async () => {
	close.mockRejectedValue(new Error("the feed is overloaded"));
	await disconnectFeed(services, session);
	orderFeed.mockImplementationOnce(() => {
		throw new Error("no feed");
	});
	await notifyFeed(services, "ada");
	const lines = logged.mock.calls.map(([line]) => JSON.parse(line));
	expect(lines).toMatchObject([
		{ event: "feed_failed", message: "Error: the feed is overloaded" },
		{ event: "feed_failed", message: "Error: no feed" },
	]);
});

test("a feed that never responds is logged after the feed's timeout, and the call resolves", async () => {
	notify.mockReturnValue(new Promise(() => undefined));
	const resolved = vi.fn();
	void notifyFeed(services, "ada").then(resolved);
	await vi.advanceTimersByTimeAsync(1999);
	expect(resolved).not.toHaveBeenCalled();
	await vi.advanceTimersByTimeAsync(1);
	expect(resolved).toHaveBeenCalled();
	expect(logged.mock.calls).toEqual([[expect.stringContaining("Timed out after 2000 ms.")]]);
});
