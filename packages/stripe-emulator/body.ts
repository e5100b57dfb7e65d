/** Bytes read of a body that exceeds its limit. */
const MAX_READ = 8 * 1024 * 1024;
/** Milliseconds. */
const TIMEOUT = 10_000;

/** The error response for an unreadable body. */
interface BadBody {
	status: 400 | 408 | 413;
	message: string;
}

/** Minimum bytes per read: a chunk can be a single byte, and a read costs as much as thousands of bytes. */
const READ_SIZE = 16 * 1024;

/** Returns the text of a body of up to `limit` bytes. Reads and discards the rest, up to MAX_READ: responding mid-upload
 *  can reset the connection, and the client never sees the response. */
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
	}, TIMEOUT);
	try {
		while (length <= Math.max(limit, MAX_READ)) {
			const { done, value } = await reader.read(new Uint8Array(READ_SIZE), { min: READ_SIZE });
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

/** Reads and discards an unread body, within the same limits. */
export async function drain(request: Request): Promise<void> {
	if (!request.bodyUsed) await readAtMost(request, 0);
}
