/** Returns a Request body for Node that behaves as it does in workerd. Node closes its own body stream while bytes are
 *  left, and a pending read then fails. */
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
