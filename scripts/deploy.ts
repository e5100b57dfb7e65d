// `npm run deploy`: refuses without the three Stripe secrets or with a STRIPE_API_BASE, then builds for production,
// brings the remote database up to date and deploys. Arguments go to `wrangler deploy`; with --dry-run nothing leaves
// this machine.
import { execFileSync } from "node:child_process";
import { environment, must } from "./run.ts";
import { secretsToMend } from "./stripe-keys.ts";

const args = process.argv.slice(2);
const rehearsal = args.includes("--dry-run");

if (!rehearsal) {
	const secrets: { name: string }[] = JSON.parse(
		execFileSync("wrangler", ["secret", "list", "--env", "production", "--format", "json"], {
			encoding: "utf8",
			env: environment,
		}),
	);
	const commands = secretsToMend(secrets.map(({ name }) => name));
	for (const command of commands) console.error(`Not before: ${command}`);
	if (commands.length > 0) process.exit(1);
}
await must("react-router", ["build", "--logLevel", "warn"], { CLOUDFLARE_ENV: "production" });
if (!rehearsal) await must("wrangler", ["d1", "migrations", "apply", "DB", "--remote"]);
await must("wrangler", ["deploy", ...args]);
