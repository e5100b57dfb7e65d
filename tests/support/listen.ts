import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** Starts a server on a free port of localhost. Returns the port. */
export async function listen(server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
	return address.port;
}

/** Returns a port of localhost on which no program listens. */
export async function freePort(): Promise<number> {
	const server = createServer();
	const port = await listen(server);
	await once(server.close(), "close");
	return port;
}
