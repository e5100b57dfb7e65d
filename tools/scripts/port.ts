import { once } from "node:events";
import { createServer } from "node:net";
import { exit } from "./arguments.ts";

/** Exits if another program listens on this port. The servers would find out later, or choose another port. */
export async function checkPort(command: string, port: number, host = "127.0.0.1"): Promise<void> {
	const probe = createServer().listen({ port, host });
	const [error] = await once(probe, "listening").catch((error: NodeJS.ErrnoException) => [error]);
	probe.close();
	// the server reports any other error
	if (error?.code !== "EADDRINUSE") return;
	exit(`Another program listens on port ${port}. Stop it, or choose another port: ${command} -- --port ${port + 1}`);
}
