import { spawn } from "node:child_process";
import { get } from "node:http";
import { Agent } from "node:https";
import { join } from "node:path";
import { readDevVars } from "../vite/dev-vars.ts";
import { exit, readArguments } from "./arguments.ts";
import { buildIfStale } from "./build.ts";
import { localState, migrateOrExit } from "./migrate.ts";
import { checkPort } from "./port.ts";
import { endWith, environment } from "./run.ts";
import { findStripeProblem } from "./stripe-keys.ts";
import { welcome } from "./welcome.ts";

const help = `Usage: npm start -- [OPTION…]

Builds the shop if a source file has changed, migrates the local database and starts the server. The options are some of
wrangler's (\`npx wrangler dev\` accepts all):
  --port PORT                 8787 by default
  --ip ADDRESS                127.0.0.1 by default
  --persist-to DIR            another local database than the one in ${localState}/
  --local-protocol https      with a certificate that wrangler makes
  --inspector-port PORT       opens a debugger

Example: npm start -- --port 9000`;
const { values } = readArguments(help, {
	port: { type: "string", default: "8787" },
	ip: { type: "string" },
	"persist-to": { type: "string", default: localState },
	"local-protocol": { type: "string", default: "http" },
	"inspector-port": { type: "string" },
});
const { port, ip, "persist-to": folder, "inspector-port": inspectorPort } = values;

const problem = findStripeProblem(readDevVars());
if (problem !== null) exit(problem);
await checkPort("npm start", Number(port), ip);
if (!(await buildIfStale())) process.exit(1);
await migrateOrExit(folder);

console.info("Starting the server…");
const input = {
	config: "build/server/wrangler.json",
	dev: {
		persist: folder,
		server: { hostname: ip, port: Number(port), secure: values["local-protocol"] === "https" },
		inspector: inspectorPort !== undefined && { port: Number(inspectorPort) },
	},
};
const server = spawn(process.execPath, [join(import.meta.dirname, "server.ts"), JSON.stringify(input)], {
	stdio: ["ignore", "pipe", "pipe"],
	env: environment,
});
endWith(server);

// wrangler's list of bindings and modules, which is shown only if the shop does not open
let held: string | undefined = "";
const address = await new Promise<string>((resolve) => {
	const print = (data: string, stream: NodeJS.WriteStream) => {
		// workerd adds its own addresses to an error, for example if Stripe cannot be reached
		const text = data.replace(/\n+ *stack: [^\n]*workerd@[^\n]*/g, "");
		if (held === undefined) {
			stream.write(text);
			return;
		}
		held += text;
		const [, url] = /Ready on (\S+)/.exec(held) ?? [];
		if (url) resolve(url);
	};
	server.stdout.setEncoding("utf8").on("data", (text) => print(text, process.stdout));
	server.stderr.setEncoding("utf8").on("data", (text) => print(text, process.stderr));
	server.on("exit", (code) => {
		process.stderr.write(held ?? "");
		process.exit(code ?? 0);
	});
});
const status = await statusOf(address);
if (status === 200) console.info(welcome(address));
else console.error(`${held}\n${address} returned ${status}: see the log above.`);
held = undefined;

/** Resolves with the status of a page. Unlike fetch, accepts the self-signed certificate of `--local-protocol https`. */
function statusOf(url: string): Promise<number | undefined> {
	const agent = url.startsWith("https:") && new Agent({ rejectUnauthorized: false });
	return new Promise((resolve, reject) => {
		get(url, { agent }, (response) => resolve(response.resume().statusCode)).on("error", reject);
	});
}
