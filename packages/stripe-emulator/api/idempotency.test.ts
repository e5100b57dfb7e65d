import { expect, test } from "vitest";
import { memorySql } from "../memory-sql.ts";
import { type ApiResponse, IdempotencyKeys } from "./idempotency.ts";

const form = "amount=500&metadata[a]=b c&expand[]=x&expand[]=y";
const respond = (requestId: string, status = 200) => ({ status, body: `{"from":"${requestId}"}`, requestId });

/** Returns a function that sends a request with the same key. */
function newKey({ key = "k", now = (): number => 0 } = {}) {
	const keys = new IdempotencyKeys(memorySql(), now);
	return (response: ApiResponse, body = form, path = "/v1/x") =>
		keys.once(
			key,
			path,
			async () => body,
			() => response,
		);
}

test("the first response is replayed to the same parameters, in any order and encoding", async () => {
	const send = newKey();
	const first = respond("req_1", 500);
	expect(await send(first)).toEqual({ ...first, replayed: false });
	const reordered = "expand[]=x&metadata%5Ba%5D=b+c&expand[]=y&amount=500";
	expect(await send(respond("req_2"), reordered)).toMatchObject({ ...first, replayed: true });
});

test.each([
	["the order of a list", "amount=500&metadata[a]=b c&expand[]=y&expand[]=x", "/v1/x"],
	["a parameter", form.replace("500", "501"), "/v1/x"],
	["the path", form, "/v1/x/update"],
])("a key cannot be reused if %s differs", async (_, body, path) => {
	const send = newKey();
	await send(respond("req_1"));
	const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than 'k' if you meant to execute a different request.`;
	const error = { status: 400, body: { type: "idempotency_error", message } };
	await expect(send(respond("req_2"), body, path)).rejects.toMatchObject(error);
});

test("an error thrown while the body is read or by the work is not stored, and releases the key", async () => {
	const keys = new IdempotencyKeys(memorySql(), () => 0);
	const reset = () => Promise.reject(new Error("The connection was reset"));
	await expect(keys.once("k", "/v1/x", reset, () => respond("req_1"))).rejects.toThrow("reset");
	const refuse = () => {
		throw new Error("Missing required param");
	};
	await expect(keys.once("k", "/v1/x", async () => "", refuse)).rejects.toThrow("Missing required param");
	expect(
		await keys.once(
			"k",
			"/v1/x",
			async () => form,
			() => respond("req_2"),
		),
	).toMatchObject({ replayed: false });
});

test("a key is in use from the start of its first request until the response", async () => {
	const keys = new IdempotencyKeys(memorySql(), () => 0);
	const { promise: body, resolve: end } = Promise.withResolvers<string>();
	const first = keys.once(
		"k",
		"/v1/x",
		() => body,
		() => respond("req_1"),
	);
	const second = () =>
		keys.once(
			"k",
			"/v1/x",
			async () => form,
			() => respond("req_2"),
		);
	await expect(second()).rejects.toMatchObject({ status: 409, body: { code: "idempotency_key_in_use" } });
	end(form);
	expect(await first).toMatchObject({ requestId: "req_1", replayed: false });
	expect(await second()).toMatchObject({ requestId: "req_1", replayed: true });
});

test("a key expires after exactly 24 hours", async () => {
	let now = 1000;
	const send = newKey({ now: () => now });
	await send(respond("req_1"));
	now += 24 * 60 * 60 - 1;
	expect(await send(respond("req_2"))).toMatchObject({ requestId: "req_1" });
	now += 1;
	expect(await send(respond("req_3"))).toMatchObject({ requestId: "req_3" });
});

test("a key has up to 255 characters", async () => {
	expect(await newKey({ key: "k".repeat(255) })(respond("req_1"))).toMatchObject({ status: 200 });
	await expect(newKey({ key: "k".repeat(256) })(respond("req_1"))).rejects.toThrow("up to 255 characters");
});
