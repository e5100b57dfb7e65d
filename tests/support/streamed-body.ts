/** Returns a body for a Request in Node that behaves as in workerd. Node closes its own while bytes are left, and then fails
 *  a read that waits for more of them. */
export function streamedBody(content: string | Uint8Array): RequestInit & { duplex: "half" } {
	// a copy, because the stream detaches the buffer
	const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content.slice();
	let isSent = bytes.byteLength === 0;
	const body = new ReadableStream({
		type: "bytes",
		pull(controller: ReadableByteStreamController) {
			if (isSent) {
				controller.close();
				controller.byobRequest?.respond(0);
			} else {
				isSent = true;
				controller.enqueue(bytes);
			}
		},
	});
	return { body, duplex: "half" };
}
