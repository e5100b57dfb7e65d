import { readArguments } from "./arguments.ts";
import { migrateOrExit } from "./migrate.ts";
import { checkPort } from "./port.ts";
import { runOrExit } from "./run.ts";
import { welcome } from "./welcome.ts";

const help = `Usage: npm run dev -- [--port PORT]

Migrates the local database and starts the development server with hot reload, on port 5173 unless --port is set.

Example: npm run dev -- --port 3000`;
const { values } = readArguments(help, { port: { type: "string", default: "5173" } });

await checkPort("npm run dev", Number(values.port), "localhost");
await migrateOrExit();
console.info(welcome(`http://localhost:${values.port}/`));
await runOrExit("react-router", ["dev", "--port", values.port, "--strictPort"]);
