import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readArguments } from "./arguments.ts";
import { runOrExit } from "./run.ts";

const help = `Usage: npm run types -- [--check]

Writes the types of the Worker's bindings and of the routes, which editors read. --check (npm run typecheck) then checks
the types of the project.

Example: npm run typecheck`;
const { values } = readArguments(help, { check: { type: "boolean" } });

// wrangler.toml names the built Worker and the command that builds it; the types need only the source
const folder = ".wrangler/types";
const variables = ".dev.vars.example";
const toml = readFileSync("wrangler.toml", "utf8")
	.replace("build/server/index.js", "../../local/entry.worker.ts")
	.replace(/^\[build\]\n.*/m, "");
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/wrangler.toml`, toml);
copyFileSync(variables, `${folder}/${variables}`);

const bindings = ["--config", `${folder}/wrangler.toml`, "--strict-vars", "false", "--env-file", variables];
await Promise.all([
	runOrExit("wrangler", ["types", "worker-configuration.d.ts", ...bindings], { WRANGLER_LOG: "warn" }),
	runOrExit("react-router", ["typegen"]),
]);
if (values.check) await runOrExit("tsc", ["--checkers", "2"]);
