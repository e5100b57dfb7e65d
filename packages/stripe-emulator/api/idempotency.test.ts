import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { IdempotencyKeys } from "./idempotency.ts";

const answer = (status: number, requestId: string) => ({ status, body: `{"from":"${requestId}"}`, requestId });
const body = (text: string) => async () => text;

function keysAt(clock: { now: number }) {
	const database = new DatabaseSync(":memory:");
	const exec = (query: string, ...bindings: (string | number)[]) => {
		const rows = database.prepare(query).all(...bindings);
		return { toArray: () => rows };
	};
	return new IdempotencyKeys({ exec }, () => clock.now);
}

test.each([200, 402, 500])("a repeated request replays the first response with status %i", async (status) => {
	const keys = keysAt({ now: 0 });
	const first = await keys.once("k", "/v1/x", body("a=1"), () => answer(status, "req_1"));
	const again = await keys.once("k", "/v1/x", body("a=1"), () => answer(200, "req_2"));
	expect(first).toEqual({ ...answer(status, "req_1"), replayed: false });
	expect(again).toMatchObject({ ...answer(status, "req_1"), replayed: true });
});

test("reusing a key with other parameters or another endpoint throws a 400", async () => {
	const keys = keysAt({ now: 0 });
	await keys.once("k", "/v1/x", body("a=1"), () => answer(200, "req_1"));
	const refusal = { status: 400, body: { type: "idempotency_error" } };
	await expect(keys.once("k", "/v1/x", body("a=2"), () => answer(200, "req_2"))).rejects.toMatchObject(refusal);
	await expect(keys.once("k", "/v1/y", body("a=1"), () => answer(200, "req_3"))).rejects.toMatchObject(refusal);
});

test("an error thrown by the work is not stored", async () => {
	const keys = keysAt({ now: 0 });
	const refuse = () => {
		throw new Error("Missing required param");
	};
	await expect(keys.once("k", "/v1/x", body(""), refuse)).rejects.toThrow("Missing required param");
	expect(await keys.once("k", "/v1/x", body("a=1"), () => answer(200, "req_2"))).toMatchObject({ replayed: false });
});

test("reusing a key in use throws a 409, and a failed request releases its key", async () => {
	const keys = keysAt({ now: 0 });
	const slow = Promise.withResolvers<string>();
	const first = keys.once(
		"k",
		"/v1/x",
		() => slow.promise,
		() => answer(200, "req_1"),
	);
	const second = keys.once("k", "/v1/x", body("a=1"), () => answer(200, "req_2"));
	await expect(second).rejects.toMatchObject({ status: 409, body: { code: "idempotency_key_in_use" } });
	slow.reject(new Error("The connection broke"));
	await expect(first).rejects.toThrow("The connection broke");
	expect(await keys.once("k", "/v1/x", body("a=1"), () => answer(200, "req_3"))).toMatchObject({ requestId: "req_3" });
});

test("a key expires after exactly 24 hours", async () => {
	const clock = { now: 1000 };
	const keys = keysAt(clock);
	await keys.once("k", "/v1/x", body("a=1"), () => answer(200, "req_1"));
	clock.now += 24 * 60 * 60 - 1;
	expect(await keys.once("k", "/v1/x", body("a=1"), () => answer(200, "req_2"))).toMatchObject({ requestId: "req_1" });
	clock.now += 1;
	expect(await keys.once("k", "/v1/x", body("a=1"), () => answer(200, "req_3"))).toMatchObject({ requestId: "req_3" });
});

test("a key longer than 255 characters throws a 400", async () => {
	const keys = keysAt({ now: 0 });
	await expect(keys.once("k".repeat(256), "/", body(""), () => answer(200, "req_1"))).rejects.toMatchObject({
		status: 400,
	});
});
