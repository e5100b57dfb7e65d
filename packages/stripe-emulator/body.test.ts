import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { drain, readAtMost } from "./body.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const mebibyte = 1024 * 1024;

/** Creates a request whose body has these chunks; `null` is a chunk that never arrives. */
function requestOf(chunks: Iterable<Uint8Array | null>) {
	const iterator = chunks[Symbol.iterator]();
	const cancel = vi.fn();
	let pulled = 0;
	const pull = (controller: ReadableByteStreamController) => {
		const { done, value } = iterator.next();
		if (done) {
			controller.close();
			controller.byobRequest?.respond(0);
		} else if (value === null) return new Promise<void>(() => undefined);
		else {
			pulled += value.byteLength;
			controller.enqueue(value.slice());
		}
	};
	const body = new ReadableStream({ type: "bytes", pull, cancel }, { highWaterMark: 0 });
	return { request: post(body), cancel, pulled: () => pulled };
}

function post(body: ReadableStream<Uint8Array>): Request {
	const half: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
	return new Request("http://localhost/", half);
}

const bytes = (text: string) => new TextEncoder().encode(text);

test("readAtMost returns a body within the limit, including characters split across chunks", async () => {
	const [first, ...rest] = bytes("é=1");
	const { request } = requestOf([new Uint8Array([first ?? 0]), new Uint8Array(rest)]);
	expect(await readAtMost(request, 4)).toEqual({ text: "é=1" });
	expect(await readAtMost(new Request("http://localhost/"), 0)).toEqual({ text: "" });
	expect(vi.getTimerCount()).toBe(0);
});

test("readAtMost reads a body over the limit to its end and returns 413", async () => {
	const { request, cancel, pulled } = requestOf([bytes("abc"), bytes("de"), bytes("f")]);
	expect(await readAtMost(request, 4)).toEqual({ status: 413, message: "The request body exceeds 4 bytes." });
	expect(pulled()).toBe(6);
	expect(cancel).not.toHaveBeenCalled();
});

test("readAtMost cancels a body of 20 MiB after more than 8 MiB and returns 413", async () => {
	const { request, cancel, pulled } = requestOf(Array.from({ length: 20 }, () => new Uint8Array(mebibyte)));
	expect(await readAtMost(request, 4)).toMatchObject({ status: 413 });
	expect(pulled()).toBe(9 * mebibyte);
	expect(cancel).toHaveBeenCalledOnce();
});

test("readAtMost returns 400 for a body that ends early", async () => {
	const body = new ReadableStream({
		type: "bytes",
		pull: (controller: ReadableByteStreamController) => controller.error(new Error("reset")),
	});
	expect(await readAtMost(post(body), 4)).toMatchObject({ status: 400 });
});

test("readAtMost cancels a body that takes longer than ten seconds and returns 408", async () => {
	const { request, cancel } = requestOf([bytes("a"), null]);
	const read = readAtMost(request, 4);
	const done = vi.fn();
	void read.then(done);
	await vi.advanceTimersByTimeAsync(9_999);
	expect(done).not.toHaveBeenCalled();
	await vi.advanceTimersByTimeAsync(1);
	expect(await read).toEqual({ status: 408, message: "The request body took too long." });
	expect(cancel).toHaveBeenCalledOnce();
});

test("drain cancels the body after ten seconds and ignores a body that has been read", async () => {
	const { request, cancel } = requestOf([null]);
	const drained = drain(request);
	await vi.advanceTimersByTimeAsync(10_000);
	await drained;
	expect(cancel).toHaveBeenCalledOnce();
	await drain(request);
});
