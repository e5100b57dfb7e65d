import { expect, test } from "vitest";
import { memorySql } from "../memory-sql.ts";
import { IdempotencyKeys } from "./idempotency.ts";

const form = "amount=500&metadata[a]=b c&expand[]=x&expand[]=y";

/** Returns a function that sends a request with the same key as its other calls. The response to the n-th request has
 *  the request id `req_n`. */
function newKey({ key = "k", now = (): number => 0 } = {}) {
	const keys = new IdempotencyKeys(memorySql(), now);
	let count = 0;
	return (body: string | Promise<string> = form, path = "/v1/x") => {
		const requestId = `req_${++count}`;
		const work = () => ({ status: 500, body: `{"from":"${requestId}"}`, requestId });
		return keys.once(key, path, async () => body, work);
	};
}

test("the first response, even an error, is replayed to the same parameters, in any order and encoding", async () => {
	const send = newKey();
	const first = await send();
	expect(first).toEqual({ status: 500, body: '{"from":"req_1"}', requestId: "req_1", replayed: false });
	const reordered = "expand[]=x&metadata%5Ba%5D=b+c&expand[]=y&amount=500";
	expect(await send(reordered)).toMatchObject({ ...first, replayed: true });
});

test.each([
	["the order of a list", "amount=500&metadata[a]=b c&expand[]=y&expand[]=x", "/v1/x"],
	["a parameter", form.replace("500", "501"), "/v1/x"],
	["the path", form, "/v1/x/update"],
])("a key cannot be reused if %s differs", async (_, body, path) => {
	const send = newKey();
	await send();
	const message =
		"Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than 'k' if you meant to execute a different request.";
	const error = { status: 400, body: { type: "idempotency_error", message } };
	await expect(send(body, path)).rejects.toMatchObject(error);
});

test("an error while the body is read is not stored, and releases the key", async () => {
	const send = newKey();
	await expect(send(Promise.reject(new Error("The connection was reset")))).rejects.toThrow("reset");
	expect(await send()).toMatchObject({ replayed: false });
});

test("a key is in use from the start of its first request until the response", async () => {
	const send = newKey();
	const { promise: body, resolve: end } = Promise.withResolvers<string>();
	const first = send(body);
	await expect(send()).rejects.toMatchObject({ status: 409, body: { code: "idempotency_key_in_use" } });
	end(form);
	expect(await first).toMatchObject({ requestId: "req_1", replayed: false });
	expect(await send()).toMatchObject({ requestId: "req_1", replayed: true });
});

test("a key expires after exactly 24 hours", async () => {
	let now = 1000;
	const send = newKey({ now: () => now });
	await send();
	now += 24 * 60 * 60 - 1;
	expect(await send()).toMatchObject({ replayed: true });
	now += 1;
	expect(await send()).toMatchObject({ replayed: false });
});

test("a key has up to 255 characters", async () => {
	expect(await newKey({ key: "k".repeat(255) })()).toMatchObject({ replayed: false });
	await expect(newKey({ key: "k".repeat(256) })()).rejects.toThrow("up to 255 characters");
});
