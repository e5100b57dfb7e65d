import { spawn, spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { outputOf } from "../../tests/support/output.ts";
import { environment } from "./run.ts";

test("ending a script ends the program that it runs, with the same signal", async () => {
	// ends by itself when nobody reads its output, so that a failing test leaves no process
	const program =
		"process.on('SIGTERM', () => { console.log('ended'); process.exit(); }); setInterval(console.log, 50, 'runs');";
	const script = `
		import { runOrExit } from "./tools/scripts/run.ts";
		await runOrExit("node", ["-e", ${JSON.stringify(program)}]);
	`;
	const child = spawn("node", ["--input-type", "module", "-e", script]);
	const { code, printed } = await outputOf(child, () => child.kill("SIGTERM"));
	expect(printed).toMatch(/ended\n$/);
	expect(code).toBe(128 + 15);
});

test("an uncaught error in a script ends the program that it has started", async () => {
	// ends by itself after a while, so that a failing test leaves no process
	const program = `
		process.on("SIGTERM", () => process.exit(console.error("ended")));
		setTimeout(process.exit, 5000);
		console.log("runs");
	`;
	const script = `
		import { spawn } from "node:child_process";
		import { endWith } from "./tools/scripts/run.ts";
		const child = spawn("node", ["-e", ${JSON.stringify(program)}], { stdio: ["ignore", "pipe", "inherit"] });
		endWith(child);
		child.stdout.on("data", () => { throw new Error("uncaught"); });
	`;
	const { code, printed } = await outputOf(spawn("node", ["--input-type", "module", "-e", script]));
	expect(printed).toContain("Error: uncaught");
	expect(printed).toMatch(/ended\n/);
	expect(code).toBe(1);
});

test("a failed build prints the file, the line and the column, without a stack", () => {
	const error = "new Error('home.tsx?__react-router-build-client-route:26:5')";
	const script = `console.error(Object.assign(${error}, { errors: [] }))`;
	const { stderr } = spawnSync("node", ["-e", script], { encoding: "utf8", env: environment });
	expect(stderr).toBe("home.tsx:26:5\n");
});
