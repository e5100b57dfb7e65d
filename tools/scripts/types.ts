// `npm run types`: writes the types of the Worker's bindings and of the routes, which editors and `npm run typecheck`
// read. The setup runs it after each installation.
import { readFileSync, writeFileSync } from "node:fs";
import { runOrExit } from "./run.ts";

const file = "worker-configuration.d.ts";
const bindings = ["types", file, "--strict-vars", "false", "--env-file", ".dev.vars.example"];
await runOrExit("wrangler", bindings, { WRANGLER_LOG: "warn" });
// wrangler.toml names the built Worker, which has no types
writeFileSync(file, readFileSync(file, "utf8").replaceAll("./build/server/index", "./local/entry.worker"));
await runOrExit("react-router", ["typegen"]);
