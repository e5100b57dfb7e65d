import { spawn } from "node:child_process";

/** Environment variables for wrangler and React Router. */
export const environment = {
	...process.env,
	// wrangler would otherwise send metrics and look up the location of this machine
	WRANGLER_SEND_METRICS: "false",
	CLOUDFLARE_CF_FETCH_ENABLED: "false",
	// wrangler's Local Explorer would otherwise let any page on localhost run SQL on D1
	X_LOCAL_EXPLORER: "false",
};

/** Runs a program in the foreground. Resolves to true if it succeeds, and rejects if it cannot be started. */
export function run(program: string, args: string[], more: Record<string, string> = {}): Promise<boolean> {
	const child = spawn(program, args, { stdio: "inherit", env: { ...environment, ...more } });
	return new Promise((resolve, reject) => {
		child.on("error", reject);
		child.on("exit", (code) => resolve(code === 0));
	});
}

/** Runs a program as `run` does, and exits this process if the program fails. */
export async function runOrExit(program: string, args: string[], more: Record<string, string> = {}): Promise<void> {
	const succeeded = await run(program, args, more).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== "ENOENT") throw error;
		console.error(`${program} is not installed. Run "npm ci".`);
	});
	if (succeeded) return;
	console.error(`Command failed: ${[program, ...args].join(" ")}`);
	process.exit(1);
}
