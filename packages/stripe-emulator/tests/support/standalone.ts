import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The standalone server in its own process. */
export interface Standalone {
	/** The base URL, without a slash at the end. */
	url: string;
	/** Returns what the server has printed. */
	output(): string;
	stop(): Promise<void>;
}

function spawnCli(args: string[]) {
	const bin = fileURLToPath(new URL("../../standalone/bin.mjs", import.meta.url));
	// vitest's NODE_ENV would reach a build of dist/
	const child = spawn(process.execPath, [bin, ...args], { env: { ...process.env, NODE_ENV: "production" } });
	let output = "";
	for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
	const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
	return { child, ended, output: () => output };
}

/** Runs the command line until it ends. */
export async function runCli(...args: string[]): Promise<{ status: number | null; output: string }> {
	const { ended, output } = spawnCli(args);
	return { status: await ended, output: output() };
}

/** Starts the server on a free port. Rejects with its output if it ends. */
export async function startStandalone(...args: string[]): Promise<Standalone> {
	const { child, ended, output } = spawnCli(["--port", "0", ...args]);
	const url = await new Promise<string>((resolve, reject) => {
		child.stdout.on("data", () => {
			const [, found] = /Console +(http:\S+)\/\n/.exec(output()) ?? [];
			if (found) resolve(found);
		});
		void ended.then(() => reject(new Error(output())));
	});
	return {
		url,
		output,
		async stop() {
			child.kill();
			await ended;
		},
	};
}
