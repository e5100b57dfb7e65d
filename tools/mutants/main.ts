import { hash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { readArguments } from "../scripts/arguments.ts";
import { runOrExit } from "../scripts/run.ts";
import { type Mutant, nameOf } from "./mutant.ts";

const mutated = ["app/{checkout,payments,tab}/*.ts", "app/orders/*.server.ts"];
const threshold = 90;
const sampleSize = 320;
/** Another seed makes another sample. */
const seed = "1";

interface Result extends Mutant {
	status: string;
	/** Why Stryker stopped a mutant, or the message of the failed test. */
	reason: string;
	simulation: "quick" | "full";
	killedBy: string[];
}

const help = `Usage: npm run test:mutants -- [FILE…]

Changes the code that handles payments and orders, one small change (a mutant) at a time, and lists the mutants that
neither the unit tests nor the simulation detect. Without arguments, runs a sample that is the same every time, and fails
if the tests detect less than ${threshold} % of it. With files, runs all their mutants. The files:
${mutated.join(" ")}

Example: npm run test:mutants -- app/payments/place.server.ts`;
const all = globSync(mutated, { exclude: ["**/*.test.ts"] }).toSorted();
const { positionals } = readArguments(help, {}, (file) => all.includes(file));
const files = positionals.length > 0 ? positionals : all;

await runOrExit("node", ["tools/scripts/setup.mjs", "tools/mutants"]);
const [{ Stryker }, { Instrumenter }] = await Promise.all([
	import("@stryker-mutator/core"),
	import("@stryker-mutator/instrumenter"),
]);

const mutants = await listMutants();
const chosen = positionals.length > 0 ? mutants : sample(mutants);
console.info(`${chosen.length} of ${mutants.length} mutants of ${files.length} files`);

// the full simulation takes many times as long as the quick one, which detects most mutants
const first = await run(chosen, "quick");
save(first);
const second = await run(first.filter(isUndetected), "full");
const results = [...first.filter((result) => !isUndetected(result)), ...second];
save(results);
report();

/** Lists the mutants of the chosen files. */
async function listMutants(): Promise<readonly Mutant[]> {
	// a logger whose methods do nothing
	const instrumenter = new Instrumenter(new Proxy({}, { get: () => () => false }));
	const contents = files.map((file) => ({ name: resolve(file), content: readFileSync(file, "utf8"), mutate: true }));
	const options = { plugins: null, ignorers: [], excludedMutations: [] };
	return (await instrumenter.instrument(contents, options)).mutants;
}

/** Returns the mutants with the lowest hashes. A mutant's hash depends on its code and not on its position, so that most
 *  of the sample stays the same when other code changes. */
function sample(from: readonly Mutant[]): Mutant[] {
	const alike = new Map<string, number>();
	const hashed = from.map((mutant) => {
		const key = [seed, mutant.fileName.slice(process.cwd().length), ...codeOf(mutant)].join("\n");
		const count = (alike.get(key) ?? 0) + 1;
		alike.set(key, count);
		return { mutant, hash: hash("sha256", `${key}\n${count}`) };
	});
	return hashed
		.toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
		.slice(0, sampleSize)
		.map(({ mutant }) => mutant);
}

/** Runs the mutants with the unit tests and the simulation. */
async function run(mutants: readonly Mutant[], simulation: Result["simulation"]): Promise<Result[]> {
	if (mutants.length === 0) return [];
	console.info(`\n${mutants.length} mutants, ${simulation} simulation`);
	process.env["SIMULATION"] = simulation;
	const names = new Set(mutants.map((mutant) => nameOf(mutant, 0)));
	const stryker = new Stryker({
		mutate: [...new Set(mutants.map(({ fileName }) => fileName))],
		chosen: [...names],
		checkers: ["chosen"],
		plugins: ["@stryker-mutator/vitest-runner", "./tools/mutants/mutant.ts"],
		testRunner: "vitest",
		// vitest changes the time zone, which only a process has, and not a thread
		vitest: { configFile: "tools/mutants/vitest.config.ts", pool: "forks", related: false },
		// as two checkers and two test runners
		concurrency: 4,
		// a mutant that takes longer than this plus three times the time of its tests counts as an infinite loop
		timeoutMS: 10_000,
		timeoutFactor: 3,
		dryRunTimeoutMinutes: 15,
		disableTypeChecks: false,
		// none: Stryker would adjust it with the API of TypeScript 6
		tsconfigFile: "",
		ignorePatterns: ["build", "docs", "public", "screenshots", "test-results", "tools/art"],
		cleanTempDir: "always",
		reporters: ["progress-append-only"],
		warnings: { unknownOptions: false, slow: false, preprocessorErrors: true, unserializableOptions: true },
		allowConsoleColors: false,
	});
	const results = await stryker.runMutationTest();
	const known = results.filter((result) => names.has(nameOf(result, 1)));
	if (known.length !== mutants.length) throw new Error(`Stryker ran ${known.length} of ${mutants.length} mutants.`);
	return known.map(({ id, fileName, location, mutatorName, replacement, status, statusReason = "", killedBy = [] }) => {
		const zeroBased = ({ line, column }: typeof location.start) => ({ line: line - 1, column: column - 1 });
		const place = { start: zeroBased(location.start), end: zeroBased(location.end) };
		const mutant = { id, fileName, location: place, mutatorName, replacement };
		return { ...mutant, status, reason: statusReason, simulation, killedBy };
	});
}

function save(results: Result[]): void {
	mkdirSync("test-results", { recursive: true });
	writeFileSync("test-results/mutants.json", JSON.stringify(results, null, "\t"));
}

function isUndetected({ status }: Result): boolean {
	return status === "Survived" || status === "NoCoverage";
}

/** Returns the code that a mutant replaces, and its replacement. */
function codeOf({ fileName, location: { start, end }, mutatorName, replacement }: Mutant): string[] {
	const lines = readFileSync(fileName, "utf8")
		.split("\n")
		.slice(start.line, end.line + 1);
	const last = lines.length - 1;
	lines[last] = lines[last]?.slice(0, end.column) ?? "";
	lines[0] = lines[0]?.slice(start.column) ?? "";
	return [mutatorName, lines.join("\n"), replacement];
}

function report(): void {
	const undetected = results.filter(isUndetected);
	const position = ({ fileName, location }: Mutant) =>
		`${fileName.slice(process.cwd().length + 1)}:${location.start.line + 1}`;
	const short = (code = "") => code.replaceAll(/\s+/g, " ").slice(0, 160);
	for (const result of undetected.toSorted((a, b) => position(a).localeCompare(position(b), "en", { numeric: true }))) {
		const [mutator, before, after] = codeOf(result);
		console.info(`${position(result)} ${mutator} (${result.status})\n\t- ${short(before)}\n\t+ ${short(after)}`);
	}
	const counts = Map.groupBy(results, ({ status, simulation }) => `${status} (${simulation} simulation)`);
	for (const [status, { length }] of counts) console.info(`${String(length).padStart(5)} ${status}`);
	const score = 100 * (1 - undetected.length / results.length);
	console.info(`The tests detect ${score.toFixed(1)} % of ${results.length} mutants.`);
	if (positionals.length === 0 && score < threshold) process.exitCode = 1;
}
