// `npm start` after the setup: builds the shop if a source file has changed, migrates the local database and starts the
// server. Passes its arguments to `wrangler dev`.
import { spawn } from "node:child_process";
import { get } from "node:http";
import { Agent } from "node:https";
import { createServer } from "node:net";
import { parseArgs } from "node:util";
import { buildIfStale } from "./build.ts";
import { migrateOrExit } from "./migrate.ts";
import { endWith, environment } from "./run.ts";
import { checkStripeVariables, readDevVars } from "./stripe-keys.ts";

const args = process.argv.slice(2);
const options = { port: { type: "string" }, ip: { type: "string" }, "persist-to": { type: "string" } } as const;
const { values } = parseArgs({ args, options, strict: false });
// with `strict: false`, an option without a value is `true`
const { port = "8787", ip = "127.0.0.1", "persist-to": folder = ".wrangler/state" } = values;
const persistTo = ["--persist-to", String(folder)];

checkStripeVariables();
await checkPort(Number(port), String(ip));
if (!(await buildIfStale())) process.exit(1);
console.info("Migrating the local database…");
await migrateOrExit(persistTo);

console.info("Starting the server…");
const server = spawn(
	"wrangler",
	[
		"dev",
		"--config",
		"build/server/wrangler.json",
		"--show-interactive-dev-session=false",
		...args,
		...(values["persist-to"] ? [] : persistTo),
	],
	{ stdio: ["ignore", "pipe", "pipe"], env: environment },
);
endWith(server);

// wrangler's list of bindings and modules, which is shown only if the shop does not open
let held: string | undefined = "";
const address = await new Promise<string>((resolve) => {
	const print = (text: string, stream: NodeJS.WriteStream) => {
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

/** Exits if another program listens on this port. wrangler would find out only after the build, and without --port it
 *  would choose another port. */
async function checkPort(port: number, host: string): Promise<void> {
	const error = await new Promise<NodeJS.ErrnoException | null>((resolve, reject) => {
		const probe = createServer();
		probe.on("error", reject);
		probe.listen({ port, host }, () => probe.close(() => resolve(null)));
	}).catch((error) => error);
	// wrangler reports any other error
	if (error?.code !== "EADDRINUSE") return;
	console.error(
		`Another program listens on port ${port}. Stop it, or choose another port: npm start -- --port ${port + 1}`,
	);
	process.exit(1);
}

function welcome(address: string): string {
	const emulator = new URL("/stripe-emulator/", address);
	const payments = readDevVars()["STRIPE_SECRET_KEY"]
		? "Payments go to the Stripe account in .dev.vars."
		: `Payments go to the Stripe emulator: ${emulator} shows them.`;
	return `
Half Dozen is open at ${address}
${payments}
Test cards, with any future date and any CVC:
  4242 4242 4242 4242  succeeds
  4000 0000 0000 0002  is declined
  4000 0027 6000 3184  requires 3-D Secure
Press Ctrl+C to stop.
`;
}
