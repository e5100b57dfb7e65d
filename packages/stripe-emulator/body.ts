/** Maximum size of a request's body, in bytes. SQLite limits the size of a row, and one row can hold the body's data
 *  several times. */
export const maxBodyBytes = 64 * 1024;
/** Maximum size of the URL and of the body of an API call on a public host, in bytes. */
export const maxPublicBytes = 4 * 1024;
/** Maximum number of bytes of an oversized body to read and discard. */
const maxDiscardedBytes = 8 * 1024 * 1024;
/** Timeout of reading a body, in milliseconds. */
const bodyTimeout = 10_000;

/** The response to a body that cannot be read. */
interface BadBody {
	status: 400 | 408 | 413;
	message: string;
}

/** Number of bytes per read. A client can send single bytes, and each read has a fixed cost. */
const chunkSize = 16 * 1024;

/** Returns the text of a body of up to `limit` bytes. Reads and discards an oversized body up to `maxDiscardedBytes`:
 *  responding mid-upload can reset the connection, and the client never sees the response. */
export async function readAtMost(request: Request, limit: number): Promise<{ text: string } | BadBody> {
	if (!request.body) return { text: "" };
	const reader = request.body.getReader({ mode: "byob" });
	const decoder = new TextDecoder();
	let text = "";
	let length = 0;
	let isLate = false;
	const timer = setTimeout(() => {
		isLate = true;
		void reader.cancel().catch(() => undefined);
	}, bodyTimeout);
	try {
		while (length <= Math.max(limit, maxDiscardedBytes)) {
			const { done, value } = await reader.read(new Uint8Array(chunkSize), { min: chunkSize });
			length += value?.byteLength ?? 0;
			if (value && length <= limit) text += decoder.decode(value, { stream: true });
			if (done) break;
		}
	} catch {
		if (!isLate) return { status: 400, message: "The request body ended early." };
	} finally {
		clearTimeout(timer);
		void reader.cancel().catch(() => undefined);
	}
	if (isLate) return { status: 408, message: "The request body took too long." };
	if (length > limit) return { status: 413, message: `The request body exceeds ${limit} bytes.` };
	return { text: text + decoder.decode() };
}

/** Reads and discards an unread body, with the same size limit and timeout. */
export async function drain(request: Request): Promise<void> {
	if (!request.bodyUsed) await readAtMost(request, 0);
}
