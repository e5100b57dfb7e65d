import { readArguments } from "../scripts/arguments.ts";
import { buildIfStale } from "../scripts/build.ts";
import { progress } from "../scripts/progress.ts";
import { runOrExit } from "../scripts/run.ts";
import { bytes } from "./bytes.ts";
import { distance } from "./distance.ts";
import { felt } from "./felt.ts";
import { growth } from "./growth.ts";
import { lighthouse } from "./lighthouse.ts";
import { orderFeed } from "./order-feed.ts";
import { server } from "./server.ts";
import { signIn } from "./sign-in.ts";
import { startup } from "./startup.ts";
import { storm } from "./storm.ts";
import { type Benchmark, type Row, table } from "./table.ts";
import { worker } from "./worker.ts";

const benchmarks = new Map<string, Benchmark>([
	["bytes", bytes],
	["server", server],
	["distance", distance],
	["worker", worker],
	["growth", growth],
	["storm", storm],
	["sign-in", signIn],
	["feed", orderFeed],
	["lighthouse", lighthouse],
	["startup", startup],
	["felt", felt],
]);

const help = `Usage: npm run bench -- [BENCHMARK [NUMBER]]…

Measures the built shop with all benchmarks, or with these, and prints a table. A number is the argument of the benchmark
before it (tools/bench/README.md). The benchmarks: ${[...benchmarks.keys()].join(", ")}

Example: npm run bench -- bytes startup`;
const isNumber = (arg: string) => !Number.isNaN(Number(arg));
const { positionals: args } = readArguments(help, {}, (arg) => benchmarks.has(arg) || isNumber(arg));
const names = args.filter((arg) => !isNumber(arg));

await runOrExit("node", ["tools/scripts/setup.mjs", "tools/bench"]);
if (!(await buildIfStale())) process.exit(1);

const failures: string[] = [];
const rows: Row[] = [];
const chosen = [...benchmarks].filter(([name]) => names.length === 0 || names.includes(name));
const begin = progress(chosen.length);
for (const [name, measure] of chosen) {
	begin(name);
	// a number is the argument of the benchmark named before it
	const argument = Number(args[args.indexOf(name) + 1]);
	const report = (row: string, value: string) => {
		console.info(`${row}: ${value}`);
		rows.push([`${name}: ${row}`, value]);
	};
	failures.push(...(await measure(report, names.includes(name) && !Number.isNaN(argument) ? argument : undefined)));
}
console.info(["", table(rows), ...failures].join("\n"));
process.exit(failures.length === 0 ? 0 : 1);
