import type { Server } from "node:net";

/** Has a server listen on a free port of this machine, for this machine alone. Answers the port. */
export async function listen(server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	if (typeof address !== "object" || address === null) throw new Error("A server on a host and a port has an address.");
	return address.port;
}
