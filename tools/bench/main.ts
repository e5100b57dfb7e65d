import { readArguments } from "../scripts/arguments.ts";
import { buildIfStale } from "../scripts/build.ts";
import { findChromium } from "../scripts/chromium.ts";
import { progress } from "../scripts/progress.ts";
import { run } from "../scripts/run.ts";
import { bytes } from "./bytes.ts";
import { distance } from "./distance.ts";
import { felt } from "./felt.ts";
import { growth } from "./growth.ts";
import { server } from "./server.ts";
import { type Benchmark, type Row, table } from "./table.ts";

const benchmarks = new Map<string, Benchmark>([
	["bytes", bytes],
	["server", server],
	["distance", distance],
	["growth", growth],
	// its package may be missing
	["lighthouse", async (report) => (await import("./lighthouse.ts")).lighthouse(report)],
	["felt", felt],
]);

const help = `Usage: npm run bench -- [BENCHMARK…]

Measures the built shop with all benchmarks, or with these, and prints a table (tools/bench/README.md). SHORT=1 measures
each as briefly as possible. The benchmarks: ${[...benchmarks.keys()].join(", ")}

Example: npm run bench -- bytes felt`;
const { positionals: names } = readArguments(help, {}, (name) => benchmarks.has(name));

if (!(await buildIfStale())) process.exit(1);

// the builds are removed when the process exits
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

const failures: string[] = [];
const rows: Row[] = [];
let [failed, skipped] = [0, 0];
const chosen = [...benchmarks].filter(([name]) => names.length === 0 || names.includes(name));
const begin = progress(chosen.length);
for (const [name, measure] of chosen) {
	begin(name);
	const report = (row: string, value: string) => {
		console.info(`${row}: ${value}`);
		rows.push([`${name}: ${row}`, value]);
	};
	const missing = await findMissing(name);
	if (missing !== null) {
		report("skipped", missing);
		skipped++;
		continue;
	}
	const missed = await measure(report).catch((error: Error) => [`${name}: ${error.stack}`]);
	failures.push(...missed);
	if (missed.length > 0) failed++;
}
console.info(["", table(rows), ...failures].join("\n"));
console.info(`${chosen.length - failed - skipped} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failures.length === 0 ? 0 : 1);

/** Returns what this machine lacks for a part, or null. */
async function findMissing(name: string): Promise<string | null> {
	if (["lighthouse", "felt"].includes(name) && !findChromium()) {
		return "there is no Chromium. Install it, or set CHROMIUM=/path/to/chromium";
	}
	if (name === "lighthouse" && !(await run("node", ["tools/scripts/setup.mjs", "tools/bench"]))) {
		return "its package could not be installed: see the message above";
	}
	return null;
}
