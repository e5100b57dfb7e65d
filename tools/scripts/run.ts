import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, existsSync, constants as modes } from "node:fs";
import { constants, homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { exit } from "./arguments.ts";

const configFolder = join(process.env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config"), ".wrangler");

/** Environment variables for wrangler and React Router. */
export const environment = {
	...process.env,
	// wrangler would otherwise send metrics and look up the location of this machine
	WRANGLER_SEND_METRICS: "false",
	CLOUDFLARE_CF_FETCH_ENABLED: "false",
	// wrangler's Local Explorer would otherwise let any page on localhost run SQL on D1
	X_LOCAL_EXPLORER: "false",
	NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} --import ${new URL("hide-warning.mjs", import.meta.url)}`,
	// wrangler fails if it cannot write to this folder, by default ~/.config
	...(!isWritable(configFolder) && { XDG_CONFIG_HOME: resolve("node_modules/.cache") }),
};

/** Returns whether files can be created in this folder. If it does not exist, whether it can be created. */
function isWritable(folder: string): boolean {
	try {
		accessSync(folder, modes.W_OK | modes.X_OK);
		return true;
	} catch {
		return !existsSync(folder) && folder !== dirname(folder) && isWritable(dirname(folder));
	}
}

/** Runs a program in the foreground. Resolves to true if it succeeds, and rejects if it cannot be started. */
export function run(program: string, args: string[], more: Record<string, string> = {}): Promise<boolean> {
	const child = spawn(program, args, { stdio: "inherit", env: { ...environment, ...more } });
	endWith(child);
	return new Promise((resolve, reject) => {
		child.on("error", reject);
		child.on("exit", (code) => resolve(code === 0));
	});
}

/** Passes signals to a child process, and exits with it. Ends the child when this process exits for another reason, such
 *  as an uncaught error. Without this, a child outlives its parent's end. */
export function endWith(child: ChildProcess): void {
	const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
	const end = (signal: (typeof signals)[number]) => {
		child.kill(signal);
		child.on("exit", () => process.exit(128 + constants.signals[signal]));
	};
	for (const signal of signals) process.on(signal, end);
	const kill = () => child.kill();
	process.on("exit", kill);
	child.on("exit", () => {
		process.off("exit", kill);
		for (const signal of signals) process.off(signal, end);
	});
}

/** Runs a program as `run` does, and exits this process if the program fails. */
export async function runOrExit(program: string, args: string[], more: Record<string, string> = {}): Promise<void> {
	const succeeded = await run(program, args, more).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== "ENOENT") throw error;
		console.error(`${program} is not installed. Run "npm ci".`);
	});
	if (succeeded) return;
	exit(`Command failed: ${[program, ...args].join(" ")}`);
}
