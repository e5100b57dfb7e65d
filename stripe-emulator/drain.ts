/** Reads what is left of a request's body: a sender who is answered before the end may see the connection break and not
 *  the answer. Of a body that breaks off there is nothing left. */
export async function drain(request: Request): Promise<void> {
	if (!request.bodyUsed) await request.body?.pipeTo(new WritableStream()).catch(() => undefined);
}
