// Serves the built shop. `npm start` runs this with the input of wrangler's API as JSON. Unlike `wrangler dev`, the API
// can omit the debugger, through which any page on localhost could run code in the Worker.
import { unstable_DevEnv as Server } from "wrangler";

const server = new Server();
server.on("error", exit);
// wrangler has printed why
server.on("buildFailed", () => process.exit(1));
await server.startWorker(JSON.parse(process.argv[2] ?? "")).catch(exit);

/** Ends with the reason of a wrangler error. */
function exit({ cause, message }: Error): never {
	console.error(cause instanceof Error ? cause.message : message);
	process.exit(1);
}
