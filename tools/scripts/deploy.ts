// `npm run deploy`, and with CLOUDFLARE_ENV=demo `npm run deploy:demo`: refuses while something is missing and says how
// to mend it, then builds, brings the remote database up to date and deploys. Arguments go to `wrangler deploy`; with
// --dry-run nothing leaves this machine and no secret is asked for.
import { spawnSync } from "node:child_process";
import { unstable_readConfig } from "wrangler";
import { environment, must } from "./run.ts";
import { type Target, toMend } from "./stripe-keys.ts";

const target: Target = process.env["CLOUDFLARE_ENV"] === "demo" ? "demo" : "production";
const args = process.argv.slice(2);
const rehearsal = args.includes("--dry-run");

const { vars } = unstable_readConfig({ config: "wrangler.toml", env: target }, { hideWarnings: true });
const demands = toMend(target, vars, rehearsal ? null : listSecrets());
for (const demand of demands) console.error(`Not before: ${demand}`);
if (demands.length > 0) process.exit(1);

await must("react-router", ["build", "--logLevel", "warn"], { CLOUDFLARE_ENV: target });
// the built configuration is that of this environment alone
const built = ["--config", "build/server/wrangler.json"];
if (!rehearsal) await must("wrangler", ["d1", "migrations", "apply", "DB", "--remote", ...built]);
await must("wrangler", ["deploy", ...built, ...args]);

/** The names of the Worker's secrets; none while there is no such Worker. */
function listSecrets(): string[] {
	// Cloudflare's own builds give the Worker the name that was chosen there
	const name = process.env["WRANGLER_CI_OVERRIDE_NAME"];
	const worker = name ? ["--name", name] : ["--env", target];
	const options = { encoding: "utf8", env: environment } as const;
	const { status, stdout, stderr } = spawnSync("wrangler", ["secret", "list", ...worker, "--format", "json"], options);
	if (status === 0) return JSON.parse(stdout).map((secret: { name: string }) => secret.name);
	// Cloudflare's code for a Worker that is not there; the first secret makes it
	if (stderr.includes("10007")) return [];
	console.error(stderr);
	console.error(
		"Cloudflare did not say which secrets are set; its answer is above. Are you signed in (npx wrangler login)?",
	);
	process.exit(1);
}
