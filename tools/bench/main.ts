import { readArguments } from "../scripts/arguments.ts";
import { buildIfStale } from "../scripts/build.ts";
import { progress } from "../scripts/progress.ts";
import { run } from "../scripts/run.ts";
import { check } from "./limits.ts";
import { type Benchmark, type Report, type Row, table } from "./table.ts";

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
each once, and checks only counts. The benchmarks: ${[...benchmarks.keys()].join(", ")}

Example: npm run bench -- bytes felt`;
const { positionals: names } = readArguments(help, {}, (name) => benchmarks.has(name));

if (!(await buildIfStale())) process.exit(1);

// the builds are removed when the process exits
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

const failures: string[] = [];
const rows: Row[] = [];
const failed: string[] = [];
let skipped = 0;
const chosen = [...benchmarks].filter(([name]) => names.length === 0 || names.includes(name));
const begin = progress(chosen.length);
for (const [name, load] of chosen) {
	begin(name);
	const before = failures.length;
	const report: Report = (row, value, measured = []) => {
		console.info(`${row}: ${value}`);
		rows.push([`${name}: ${row}`, value]);
		failures.push(...check(`${name}: ${row}`, measured));
	};
	const missing = await findMissing(name);
	if (missing !== null) {
		report("skipped", missing);
		skipped++;
		continue;
	}
	await load()
		.then((measure) => measure(report))
		.catch((error: Error) => failures.push(`${name}: ${error.stack}`));
	if (failures.length > before) failed.push(name);
}
console.info(["", table(rows), "", ...failures].join("\n"));
if (failed.length > 0) {
	const command = `npm run bench -- ${failed.join(" ")}`;
	console.info(
		`To measure again without other load: ${command}. To accept a value, change its limit in the same commit.`,
	);
}
console.info(`${chosen.length - failed.length - skipped} passed, ${failed.length} failed, ${skipped} skipped`);
process.exit(failed.length === 0 ? 0 : 1);

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
