// `npm start` after the setup: builds the shop, migrates the local database and starts the server. Passes its arguments
// to `wrangler dev`.
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { environment, runOrExit } from "./run.ts";
import { checkStripeVariables } from "./stripe-keys.ts";

const args = process.argv.slice(2);
const { values } = parseArgs({ args, options: { "persist-to": { type: "string" } }, strict: false });
const persistTo = typeof values["persist-to"] === "string" ? ["--persist-to", values["persist-to"]] : [];

checkStripeVariables();
await runOrExit("react-router", ["build", "--logLevel", "warn"]);
// CI=true skips wrangler's confirmation prompt
await runOrExit("wrangler", ["d1", "migrations", "apply", "DB", "--local", ...persistTo], { CI: "true" });

const server = spawn("wrangler", ["dev", "--show-interactive-dev-session=false", ...args], {
	stdio: ["ignore", "pipe", "inherit"],
	env: environment,
});
let announced = false;
server.stdout.setEncoding("utf8").on("data", async (text: string) => {
	process.stdout.write(text);
	const [, address] = /Ready on (\S+)/.exec(text) ?? [];
	if (!address || announced) return;
	announced = true;
	const response = await fetch(address);
	if (response.ok)
		console.info(`\nHalf Dozen is open at ${address}\nPay with card 4242 4242 4242 4242, any future date, any CVC.\n`);
	else console.error(`\n${address} returned ${response.status}: see the log above.`);
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => server.kill(signal));
server.on("exit", (code) => process.exit(code ?? 0));
