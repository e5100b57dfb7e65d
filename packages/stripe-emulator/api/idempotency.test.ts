import { expect, test } from "vitest";
import { memorySql } from "../memory-sql.ts";
import { IdempotencyKeys } from "./idempotency.ts";

const response = (status: number, requestId: string) => ({ status, body: `{"from":"${requestId}"}`, requestId });
const body = (text: string) => async () => text;

const keysAt = (clock: { now: number }) => new IdempotencyKeys(memorySql(), () => clock.now);

test("an error thrown while the body is read or by the work is not stored, and releases the key", async () => {
	const keys = keysAt({ now: 0 });
	const reset = () => Promise.reject(new Error("The connection was reset"));
	await expect(keys.once("k", "/v1/x", reset, () => response(200, "req_1"))).rejects.toThrow("reset");
	const refuse = () => {
		throw new Error("Missing required param");
	};
	await expect(keys.once("k", "/v1/x", body(""), refuse)).rejects.toThrow("Missing required param");
	const stored = { ...response(500, "req_2"), replayed: false };
	expect(await keys.once("k", "/v1/x", body("a=1"), () => response(500, "req_2"))).toEqual(stored);
	const again = await keys.once("k", "/v1/x", body("a=1"), () => response(200, "req_3"));
	expect(again).toMatchObject({ ...stored, replayed: true });
});

test("a key expires after exactly 24 hours", async () => {
	const clock = { now: 1000 };
	const keys = keysAt(clock);
	const call = (requestId: string) => keys.once("k", "/v1/x", body("a=1"), () => response(200, requestId));
	await call("req_1");
	clock.now += 24 * 60 * 60 - 1;
	expect(await call("req_2")).toMatchObject({ requestId: "req_1" });
	clock.now += 1;
	expect(await call("req_3")).toMatchObject({ requestId: "req_3" });
});
