import { spawnSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { exit, readArguments } from "./arguments.ts";
import { environment, runOrExit } from "./run.ts";
import { listProblems, type Target } from "./stripe-keys.ts";

const target: Target = process.env["CLOUDFLARE_ENV"] === "demo" ? "demo" : "production";
const help = `Usage: npm run deploy -- [--dry-run], or npm run deploy:demo -- [--dry-run]

Checks the configuration, builds the shop for [env.${target}] of wrangler.toml, migrates the remote database and deploys.
--dry-run sends nothing to Cloudflare.

Example: npm run deploy -- --dry-run`;
const { "dry-run": isDryRun } = readArguments(help, { "dry-run": { type: "boolean" } }).values;

const { unstable_readConfig } = await import("wrangler");
const { vars } = unstable_readConfig({ config: "wrangler.toml", env: target }, { hideWarnings: true });
const problems = listProblems(target, vars, isDryRun ? null : listSecrets());
for (const problem of problems) console.error(`Before deploying: ${problem}`);
if (problems.length > 0) process.exit(1);

console.info(`Building the shop for ${target}…`);
await runOrExit("react-router", ["build", "--logLevel", "warn"], { CLOUDFLARE_ENV: target });
const built = ["--config", "build/server/wrangler.json"];
// the built configuration contains only this environment
const env = { CLOUDFLARE_ENV: "" };
if (!isDryRun) await runOrExit("wrangler", ["d1", "migrations", "apply", "DB", "--remote", ...built], env);
await runOrExit("wrangler", ["deploy", ...built, ...(isDryRun ? ["--dry-run"] : [])], env);
if (!isDryRun) console.info("Check the shop: npm run smoke -- https://… with the address above (docs/first-run.md).");

/** Returns the names of the Worker's secrets. The list is empty before the first deployment. */
function listSecrets(): string[] {
	// Workers Builds sets this variable if the Worker's name differs from the one in wrangler.toml
	const name = process.env["WRANGLER_CI_OVERRIDE_NAME"];
	const worker = name ? ["--name", name] : ["--env", target];
	const options = { encoding: "utf8", env: environment } as const;
	const { status, stdout, stderr } = spawnSync("wrangler", ["secret", "list", ...worker, "--format", "json"], options);
	if (status === 0) return JSON.parse(stdout).map((secret: { name: string }) => secret.name);
	// the Worker does not exist yet; `wrangler secret put` creates it
	if (stderr.includes("10007")) return [];
	// warnings about bindings precede the error, which without a login is about scripts
	const [error] = stripVTControlCharacters(stderr).split("[ERROR] ").slice(-1);
	if (!error?.includes("CLOUDFLARE_API_TOKEN")) console.error(error);
	return exit(
		"Could not list the Worker's secrets. Sign in with `npx wrangler login`, or set CLOUDFLARE_API_TOKEN, and try again.",
	);
}
