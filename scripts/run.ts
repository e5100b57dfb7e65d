import { spawn } from "node:child_process";

/** Without these the tools would ask the network whether they may report, or whether a newer one is out. */
export const environment = {
	...process.env,
	WRANGLER_SEND_METRICS: "false",
	NO_UPDATE_NOTIFIER: "1",
	FORCE_COLOR: "0",
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
	if (await run(program, args, more)) return;
	console.error(`Stopped, because this failed: ${[program, ...args].join(" ")}`);
	process.exit(1);
}
