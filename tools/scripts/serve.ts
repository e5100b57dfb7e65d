// `npm start`, after the set-up: builds the shop, brings the local database up to date and serves both. Arguments go
// to wrangler.
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { environment, must } from "./run.ts";
import { refuseBadStripeVariables } from "./stripe-keys.ts";

const args = process.argv.slice(2);
const { values } = parseArgs({ args, options: { "persist-to": { type: "string" } }, strict: false });
const persistTo = typeof values["persist-to"] === "string" ? ["--persist-to", values["persist-to"]] : [];

refuseBadStripeVariables();
await must("react-router", ["build", "--logLevel", "warn"]);
// CI, so that it asks nobody whether the shop on this machine may stand still for a moment
await must("wrangler", ["d1", "migrations", "apply", "DB", "--local", ...persistTo], { CI: "true" });

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
	const answer = await fetch(address);
	if (answer.ok)
		console.info(`\nHalf Dozen is open at ${address}\nPay with card 4242 4242 4242 4242, any future date, any CVC.\n`);
	else console.error(`\nThe shop answers ${answer.status} at ${address}; the log above says why.`);
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => server.kill(signal));
server.on("exit", (code) => process.exit(code ?? 0));
