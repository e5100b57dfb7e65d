import { spawn } from "node:child_process";

/** The environment of wrangler and React Router. */
export const environment = {
	...process.env,
	// neither metrics nor a lookup of where this machine is
	WRANGLER_SEND_METRICS: "false",
	CLOUDFLARE_CF_FETCH_ENABLED: "false",
	// wrangler's Local Explorer runs SQL on D1 for any page on localhost
	X_LOCAL_EXPLORER: "false",
};

/** Runs a program of this project to its end, in the foreground. True when it succeeded. */
export function run(program: string, args: string[], more: Record<string, string> = {}): Promise<boolean> {
	const child = spawn(program, args, { stdio: "inherit", env: { ...environment, ...more } });
	return new Promise((resolve, reject) => {
		child.on("error", reject);
		child.on("exit", (code) => resolve(code === 0));
	});
}

/** The same, and the end of everything when it fails. */
export async function must(program: string, args: string[], more: Record<string, string> = {}): Promise<void> {
	const succeeded = await run(program, args, more).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== "ENOENT") throw error;
		console.error(`There is no ${program}; "npm ci" installs it anew.`);
	});
	if (succeeded) return;
	console.error(`Stopped, because this failed: ${[program, ...args].join(" ")}`);
	process.exit(1);
}
