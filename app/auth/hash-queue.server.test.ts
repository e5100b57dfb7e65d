import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { hashInTurn } from "./hash-queue.server.ts";

const timeout = 4000;

/** The hashes that have run. Times are in milliseconds since the beginning of the test. */
let hashes: { ip: string; startedAt: number }[] = [];
let beganAt = 0;
beforeAll(() => void vi.useFakeTimers());
beforeEach(async () => {
	// lets all earlier slots pass
	await vi.advanceTimersByTimeAsync(60_000);
	hashes = [];
	beganAt = Date.now();
});

/** Requests a hash. */
function request(ip: string): Promise<string> {
	return hashInTurn(ip, timeout, async () => {
		hashes.push({ ip, startedAt: Date.now() - beganAt });
		return "hash";
	});
}

/** Requests one hash from each of `count` IP addresses. */
const requestFromEach = (count: number) => Array.from({ length: count }, (_, n) => request(`10.0.0.${n}`));

/** Returns the results of the requests once all have one. */
async function resultsOf(requests: Promise<string>[]): Promise<string[]> {
	await vi.advanceTimersByTimeAsync(2 * timeout);
	return Promise.all(requests);
}

test("the first hash starts immediately, and the following ones start 160 ms apart", async () => {
	await request("10.0.0.1");
	expect(await resultsOf(requestFromEach(3))).toEqual(["hash", "hash", "hash"]);
	expect(hashes.map(({ startedAt }) => startedAt)).toEqual([0, 160, 320, 480]);
});

test.each([
	["10.0.0.1", "10.0.0.1", "busy"],
	["10.0.0.1", "10.0.0.2", "hash"],
])("after three simultaneous requests from %s, one from %s returns %s", async (first, second, result) => {
	const requests = [first, first, first, second].map((ip) => request(ip));
	expect(await resultsOf(requests)).toEqual(["hash", "hash", "hash", result]);
	expect(await request(first)).toBe("hash");
});

test("a request that cannot start within the timeout returns busy immediately and takes no slot", async () => {
	const capacity = 1 + timeout / 160;
	const requests = requestFromEach(capacity + 5);
	expect(await Promise.all(requests.slice(capacity))).toEqual(Array.from({ length: 5 }, () => "busy"));
	expect(hashes).toHaveLength(1);
	await vi.advanceTimersByTimeAsync(160);
	const next = request("10.0.1.1");
	expect(await resultsOf([...requests.slice(0, capacity), next])).not.toContain("busy");
});

test("29 of 29 requests run while 256 networks of one /48 send 25 requests a second", async () => {
	const shoppers: Promise<string>[] = [];
	for (let n = 0; n < 29 * 25; n++) {
		void request(`2001:db8:1:${(n % 256).toString(16)}00::1`);
		if (n % 25 === 24) shoppers.push(request("10.0.0.1"));
		await vi.advanceTimersByTimeAsync(1000 / 25);
	}
	const results = await resultsOf(shoppers);
	expect(results.filter((result) => result === "hash")).toHaveLength(29);
});

test("the slot of a canceled request passes", async () => {
	const first = request("10.0.0.1");
	// a canceled request is never resumed
	const never = vi.spyOn(globalThis, "setTimeout").mockImplementationOnce(() => setTimeout(() => undefined));
	void request("10.0.0.2");
	never.mockRestore();
	expect(await resultsOf([first, request("10.0.0.3")])).toEqual(["hash", "hash"]);
	expect(hashes.map(({ ip, startedAt }) => [ip, startedAt])).toEqual([
		["10.0.0.1", 0],
		["10.0.0.3", 320],
	]);
});

test("a failed hash rejects, and the next one starts", async () => {
	const failed = hashInTurn("10.0.0.1", timeout, () => Promise.reject(new Error("no memory")));
	const next = request("10.0.0.2");
	await expect(failed).rejects.toThrow("no memory");
	expect(await resultsOf([next])).toEqual(["hash"]);
});
