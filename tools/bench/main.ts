import { readArguments } from "../scripts/arguments.ts";
import { buildIfStale } from "../scripts/build.ts";
import { progress } from "../scripts/progress.ts";
import { run } from "../scripts/run.ts";
import { type Benchmark, type Row, table } from "./table.ts";

// they load slowly, the help does not need them, and the package of one may be missing
const benchmarks = new Map<string, () => Promise<Benchmark>>([
	["bytes", async () => (await import("./bytes.ts")).bytes],
	["server", async () => (await import("./server.ts")).server],
	["distance", async () => (await import("./distance.ts")).distance],
	["growth", async () => (await import("./growth.ts")).growth],
	["lighthouse", async () => (await import("./lighthouse.ts")).lighthouse],
	["felt", async () => (await import("./felt.ts")).felt],
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
for (const [name, load] of chosen) {
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
	const missed = await load()
		.then((measure) => measure(report))
		.catch((error: Error) => [`${name}: ${error.stack}`]);
	failures.push(...missed);
	if (missed.length > 0) failed++;
}
console.info(["", table(rows), ...failures].join("\n"));
console.info(`${chosen.length - failed - skipped} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failures.length === 0 ? 0 : 1);

/** Returns what this machine lacks for a part, or null. */
async function findMissing(name: string): Promise<string | null> {
	const { findChromium } = await import("../scripts/chromium.ts");
	if (["lighthouse", "felt"].includes(name) && !findChromium()) {
		return "there is no Chromium. Install it, or set CHROMIUM=/path/to/chromium";
	}
	if (name === "lighthouse" && !(await run("node", ["tools/scripts/setup.mjs", "tools/bench"]))) {
		return "its package could not be installed: see the message above";
	}
	return null;
}
