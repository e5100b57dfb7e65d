import { beforeEach, describe, expect, test, vi } from "vitest";
import { OrderDatabase } from "../../tests/support/unit-orders.ts";
import { OrderFeed } from "./order-feed.server.ts";

vi.mock("cloudflare:workers", () => ({
	DurableObject: function DurableObject(this: object, ctx: object, env: object) {
		Object.assign(this, { ctx, env });
	},
}));

const [second, minute] = [1000, 60_000];
const start = 1_800_000_000_000;

/** The server's end of a WebSocket. */
type Socket = WebSocket & {
	tags: string[];
	sent: string[];
	/** The code and reason, such as "4001 Signed out.". */
	closed: string | null;
	attachment: unknown;
};

/** Creates a socket that refuses calls after it has been closed. */
function createSocket(): Socket {
	const assertOpen = () => {
		if (socket.closed !== null) throw new Error("The socket is closed.");
	};
	const socket: Socket = Object.assign(Object.create(null), {
		...{ tags: [], sent: [], closed: null },
		send(message: string) {
			assertOpen();
			socket.sent.push(message);
		},
		close(code: number, reason: string) {
			assertOpen();
			socket.closed = `${code} ${reason}`;
		},
		serializeAttachment: (attachment: unknown) => Object.assign(socket, { attachment }),
		deserializeAttachment: () => socket.attachment,
	});
	return socket;
}

/** Defines a global class that exists only in Workers. */
const stubClass = (name: string, create: (...args: unknown[]) => object) =>
	vi.stubGlobal(name, function (this: object, ...args: unknown[]) {
		Object.assign(this, create(...args));
	});

let database: OrderDatabase;
let feed: OrderFeed;
let accepted: Socket[];
let background: Promise<unknown>[];
let alarm: number | null;
const setAlarm = vi.fn(async (at: number) => {
	await new Promise((resolve) => setImmediate(resolve));
	alarm = at;
});
const setWebSocketAutoResponse = vi.fn();
const logged = vi.spyOn(console, "error").mockReturnValue();

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["Date"], now: start });
	vi.clearAllMocks();
	stubClass("WebSocketPair", () => ["the page's end", createSocket()]);
	stubClass("WebSocketRequestResponsePair", (request, response) => ({ request, response }));
	// Node's Response refuses the status 101
	stubClass("Response", (body, init) => ({ body, init }));
	[database, accepted, background, alarm] = [new OrderDatabase(), [], [], null];
	for (const id of ["a", "b"]) database.insertSession(id, "ada");
	const ctx: DurableObjectState = Object.assign(Object.create(null), {
		setWebSocketAutoResponse,
		acceptWebSocket: (socket: Socket, tags: string[]) => accepted.unshift(Object.assign(socket, { tags })),
		getWebSockets: (tag?: string) => accepted.filter(({ tags }) => tag === undefined || tags.includes(tag)),
		getTags: ({ tags }: Socket) => tags,
		waitUntil: (work: Promise<unknown>) => background.push(work),
		storage: { getAlarm: async () => alarm, setAlarm },
	});
	const env: Env = Object.assign(Object.create(null), { DB: database.d1 });
	feed = new OrderFeed(ctx, env);
});

const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** Opens a socket of a session. Returns the server's end. */
async function open(session = "a", seconds = 24 * 60 * 60): Promise<Socket> {
	await feed.fetch(new Request(`https://feed/?session=${session}&seconds=${seconds}`));
	const [socket] = accepted;
	if (!socket) throw new Error("no socket was accepted");
	return socket;
}

/** Opens a socket of a session every second. */
async function openSeveral(count: number, session?: string): Promise<Socket[]> {
	const sockets: Socket[] = [];
	while (sockets.push(await open(session)) < count) wait(second);
	return sockets;
}

/** Notifies the feed and waits for its work in the background. */
async function notify(...change: Parameters<OrderFeed["notify"]>): Promise<void> {
	feed.notify(...change);
	await Promise.all(background);
}

const endSession = (id: string) => database.sqlite.all("delete from sessions where id = ?", [id]);
const closedOf = (sockets: Socket[]) => sockets.map(({ closed }) => closed);
const [signedOut, sessionOver] = ["4001 Signed out.", "4001 The session is over."];
const tooMany = "4002 This session has too many pages open.";

describe("opening a socket", () => {
	test("returns 101 with the page's end and tags the other end with the session", async () => {
		const response = await feed.fetch(new Request("https://feed/?session=a&seconds=90"));
		expect(response).toEqual({ body: null, init: { status: 101, webSocket: "the page's end" } });
		const attachment = { openedAt: start, endsAt: start + 90 * second };
		expect(accepted).toMatchObject([{ tags: ["a"], closed: null, attachment }]);
	});

	test("lets the runtime respond to pings", () => {
		expect(setWebSocketAutoResponse.mock.calls).toEqual([[{ request: "ping", response: "pong" }]]);
	});

	test.each([[[]], [["the page's end"]]])("fails if the pair of sockets is %o", async (pair) => {
		stubClass("WebSocketPair", () => pair);
		await expect(open()).rejects.toThrow("A WebSocketPair has two ends; has its shape changed?");
	});

	test("closes the oldest socket of the session if it has five", async () => {
		const others = await openSeveral(4, "b");
		const sockets = await openSeveral(5);
		expect(closedOf([...others, ...sockets])).toEqual(Array(9).fill(null));
		await open();
		await open();
		expect(closedOf([...sockets, ...others])).toEqual([tooMany, tooMany, ...Array(7).fill(null)]);
	});
});

describe("a notification", () => {
	const [paid, isNew] = [{ orders: ["pi_1 paid"] }, false];

	test("is sent to all pages, even if a socket has closed", async () => {
		const [first, closed, third] = [await open("a"), await open("a"), await open("b")];
		closed.close(1000, "");
		await notify();
		await notify();
		for (const { sent } of [first, third]) expect(sent).toEqual(["changed", "changed"]);
	});

	test.each([true, false])("of a change that was sent (isNew: %s) is sent again only if it is new", async (first) => {
		const page = await open();
		await notify({ ...paid, isNew: first });
		await notify({ ...paid, isNew });
		expect(page.sent).toHaveLength(1);
		await notify({ ...paid, isNew: true });
		expect(page.sent).toHaveLength(2);
	});

	test("of several orders is sent unless all of them were sent", async () => {
		const page = await open();
		await notify({ ...paid, isNew });
		await notify({ orders: ["pi_1 paid", "pi_1 refunded"], isNew });
		expect(page.sent).toHaveLength(2);
		await notify({ orders: ["pi_1 refunded", "pi_1 paid"], isNew });
		expect(page.sent).toHaveLength(2);
	});

	test("is remembered until 200 others were sent", async () => {
		const page = await open();
		const sent = async (order: number) => {
			const before = page.sent.length;
			await notify({ orders: [`pi_${order} paid`], isNew });
			return page.sent.length > before;
		};
		await notify({ orders: Array.from({ length: 200 }, (_, index) => `pi_${index} paid`), isNew });
		expect(await sent(0)).toBe(false);
		expect(await sent(200)).toBe(true);
		expect([await sent(1), await sent(200), await sent(0)]).toEqual([false, false, true]);
	});
});

test("disconnect closes only the sockets of its session", async () => {
	const [others, sockets] = [await openSeveral(2, "b"), await openSeveral(2)];
	feed.disconnect("a");
	expect(closedOf([...others, ...sockets])).toEqual([null, null, signedOut, signedOut]);
});

describe("sessions that have ended in D1", () => {
	test("are closed by the next notification", async () => {
		endSession("b");
		const sockets = [await open("a"), await open("b"), await open("a"), await open("c")];
		await notify();
		expect(closedOf(sockets)).toEqual([null, signedOut, null, signedOut]);
		expect(database.calls).toMatchObject([{ statements: [{ values: ['["c","a","b"]'] }] }]);
	});

	test("are closed at most once a minute", async () => {
		const page = await open();
		await notify();
		endSession("a");
		wait(minute - 1);
		await notify();
		expect(page.closed).toBeNull();
		wait(1);
		await notify();
		expect(page.closed).toBe(signedOut);
	});

	test("are not queried while no page is open", async () => {
		await notify();
		expect(database.calls).toEqual([]);
		const page = await open("ended");
		await notify();
		expect(page.closed).toBe(signedOut);
	});

	test("stay open if the query fails, which is logged", async () => {
		const page = await open("ended");
		database.failures.push("D1 is overloaded");
		await notify();
		expect(page.closed).toBeNull();
		expect(logged.mock.calls.map(([line]) => JSON.parse(line))).toMatchObject([
			{ event: "feed_failed", message: "Error: D1 is overloaded" },
		]);
	});
});

describe("the alarm", () => {
	test.each([
		["the next expiry", [50, 20, 30], 20],
		["an hour from now if no session expires earlier", [61, 120], 60],
	])("is set to %s", async (_, expiries, next) => {
		for (const minutes of expiries) await open("a", minutes * 60);
		expect(alarm).toBe(start + next * minute);
	});

	test("is moved only to an earlier time", async () => {
		await open("a", 20 * 60);
		await open("a", 20 * 60);
		wait(minute);
		await open();
		expect(setAlarm.mock.calls).toEqual([[start + 20 * minute]]);
	});

	test("closes the sockets of expired and ended sessions, and is set again", async () => {
		const sockets = [await open("a", 20 * 60), await open("b", 21 * 60), await open("c")];
		wait(20 * minute);
		alarm = null;
		await feed.alarm();
		expect(closedOf(sockets)).toEqual([sessionOver, null, signedOut]);
		expect(alarm).toBe(start + 21 * minute);
	});

	test("is not set while no page is open", async () => {
		await feed.alarm();
		expect(setAlarm).not.toHaveBeenCalled();
	});
});

describe("a page", () => {
	test.each([
		["that sends a message is closed", (socket: Socket) => feed.webSocketMessage(socket), "1003 This feed only tells."],
		["that closes its socket receives a close frame", (socket: Socket) => feed.webSocketClose(socket), "1000 "],
	])("%s", async (_, handle, closed) => {
		const [page, other] = [await open(), await open()];
		handle(page);
		expect(closedOf([page, other])).toEqual([closed, null]);
	});
});
