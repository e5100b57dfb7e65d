import { readArguments } from "./arguments.ts";
import { buildIfStale } from "./build.ts";
import { run } from "./run.ts";
import { welcome } from "./welcome.ts";

const help = `Usage: npm run prepare:local

Builds the shop if a file has changed, and migrates the local database. wrangler.toml names this command.

Example: npm run prepare:local`;
readArguments(help, {});

// wrangler sets this variable
const { WRANGLER_COMMAND: command = "dev" } = process.env;

// an upload would contain the emulator, or the sources of [env.production] without a bundle
if (command !== "dev" && command !== "types") {
	fail(
		"wrangler uploads only what is built for Cloudflare. Run `npm run deploy`, or `npm run deploy:demo` for a demo.",
	);
}
if (!(await buildIfStale())) fail("The build failed: see its message above.");
if (!(await run("npm", ["run", "--silent", "db:migrate"]))) fail("The migration failed: see its message above.");
if (command === "dev") console.info(welcome());

/** Prints a message and ends with an error. wrangler then prints an error of its own with its stack: for a command that
 *  exits with a code, it contains the whole process object, which hides the message; for a signal, one line. */
function fail(message: string): never {
	console.error(message);
	process.kill(process.pid, "SIGTERM");
	// where SIGTERM is ignored
	process.exit(1);
}
