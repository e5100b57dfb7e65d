import type { ZodMiniType } from "zod/mini";
import { errorResponse } from "./error-response.server.ts";

/** Number of bytes of an oversized body after which the rest is not read. */
const maxRefusedBody = 8 * 1024 * 1024;
/** Minimum number of bytes per read. A chunk can be a single byte, and each read has a fixed cost. */
const readSize = 16 * 1024;

/** Returns the body, "too_large" if it has more than `max` bytes, "too_slow" if it takes more than `timeout`
 *  milliseconds, or "broken_off" if the connection is lost. Counts bytes as they arrive, because Content-Length may be
 *  wrong or absent. */
export async function readAtMost(
	stream: ReadableStream<Uint8Array<ArrayBuffer>>,
	max: number,
	timeout: number,
): Promise<Blob | "too_large" | "too_slow" | "broken_off"> {
	const reader = stream.getReader({ mode: "byob" });
	const chunks: Uint8Array<ArrayBuffer>[] = [];
	let length = 0;
	let isLate = false;
	const timer = setTimeout(() => {
		isLate = true;
		void reader.cancel().catch(() => undefined);
	}, timeout);
	try {
		while (length <= Math.max(max, maxRefusedBody)) {
			const { done, value } = await reader.read(new Uint8Array(readSize), { min: readSize });
			length += value?.byteLength ?? 0;
			if (value && length <= max) chunks.push(value);
			if (done) break;
		}
	} catch {
		if (!isLate) return "broken_off";
	} finally {
		clearTimeout(timer);
		void reader.cancel().catch(() => undefined);
	}
	if (isLate) return "too_slow";
	return length > max ? "too_large" : new Blob(chunks);
}

/** Returns the JSON body of a request. Throws a 400 response if the body is not JSON or does not match `schema`. */
export async function readJson<T>(request: Request, schema: ZodMiniType<T>): Promise<T> {
	let body: unknown;
	try {
		body = await request.json();
	} catch {
		throw errorResponse(400, "invalid_json", "The body is not valid JSON.");
	}
	const parsed = schema.safeParse(body);
	if (parsed.success) return parsed.data;
	throw errorResponse(400, "invalid_request", "The body does not have the required fields.");
}
