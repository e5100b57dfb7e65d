import type { Server } from "node:net";

/** Starts a server on a free port of localhost. Returns the port. */
export async function listen(server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
	return address.port;
}
