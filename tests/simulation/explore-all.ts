import { afterAll, expect, test } from "vitest";
import { type Bounds, type Exploration, explore, type Failure } from "./explore.ts";
import { exploreRandomly } from "./random.ts";
import { scenarios } from "./scenarios.ts";
import type { Scenario, Tasks } from "./schedule.ts";
import { follow, lineOf, trace } from "./trace.ts";
import { World } from "./world.ts";

const long = Boolean(process.env["LONG"]);
/** SIMULATION=quick, for a run after every save, leaves out the faults, which most schedules are for. */
const quick = process.env["SIMULATION"] === "quick";
/** Maximum number of schedules per scenario. A count rather than a time limit, so that every machine runs the same
 *  schedules. */
const maxSchedules = long ? 200_000 : Number.POSITIVE_INFINITY;
/** Smaller bounds, explored after a failure to find a shorter trace. */
const smallerBounds: Bounds[] = [
	{ preemptions: 0, faults: 0 },
	{ preemptions: 1, faults: 0 },
	{ preemptions: 0, faults: 1 },
	{ preemptions: 1, faults: 1 },
];
const randomSchedules = Number(process.env["SCHEDULES"] ?? (long ? 1_000_000 : 0));
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** The line of an earlier failure to replay. */
const line = process.env["SCHEDULE"];

/** Returns the bounds to explore, one after the other. `npm test` combines faults with preemptions only in the scenarios
 *  that require it to detect a known mistake, because all combinations take four times as long. */
function boundsOf({ combinesFaults }: Scenario): Bounds[] {
	if (long) return [{ preemptions: 3, faults: 2 }];
	if (quick) return [{ preemptions: 1, faults: 0 }];
	return [
		{ preemptions: 2, faults: 0 },
		{ preemptions: combinesFaults ? 1 : 0, faults: 1 },
	];
}

/** Declares a test of each scenario. */
export function exploreAll(chosen: readonly Scenario[]): void {
	const rows: (string | number)[][] = [["schedules", "per second", "failures", "exhausted", "scenario"]];
	for (const scenario of chosen) {
		const { title } = scenario;
		test.skipIf(line !== undefined && !line.startsWith(`${title}:`))(
			`${title}: every invariant holds in every schedule`,
			{ timeout: 60 * 60_000 },
			() => check(scenario, rows),
		);
	}
	afterAll(() => {
		const total = rows.slice(1).reduce((sum, [schedules]) => sum + Number(schedules), 0);
		const table = rows.map((row) =>
			row.map((cell, index) => (index < 4 ? String(cell).padStart(12) : cell)).join("  "),
		);
		console.info(`${total} schedules\n${table.join("\n")}`);
		if (randomSchedules > 0) console.info(`${randomSchedules} random schedules of all scenarios, SEED=${seed}`);
	});
}

async function check(scenario: Scenario, rows: (string | number)[][]): Promise<void> {
	const world = new World();
	const start = await world.prepare(() => scenario.begin(world));
	let report = "";
	try {
		if (line !== undefined) {
			report = await trace(world, scenario, start, follow(line), line);
		} else {
			const found: Exploration[] = [];
			for (const bounds of boundsOf(scenario)) found.push(await explore(world, scenario, start, bounds, maxSchedules));
			const schedules = found.reduce((sum, run) => sum + run.schedules, 0);
			const milliseconds = found.reduce((sum, run) => sum + run.milliseconds, 0);
			const failed = found.flatMap(({ failures }) => failures);
			const failures = failed.length > 0 ? await simplest(world, scenario, start, failed) : [];
			const perSecond = Math.round((1000 * schedules) / milliseconds);
			const exhausted = found.every((run) => run.exhausted) ? "yes" : "no";
			rows.push([schedules, perSecond, failures.length, exhausted, scenario.title]);
			const random = await exploreRandomly(world, scenario, start, Math.ceil(randomSchedules / scenarios.length), seed);
			for (const failure of [...failures, ...random]) {
				const again = await lineOf(world, scenario, start, failure);
				report += `${await trace(world, scenario, start, follow(again), again)}\n\n`;
			}
		}
	} finally {
		world.close();
	}
	if (line !== undefined) console.info(report);
	expect(line === undefined ? report : report.includes("Every invariant holds."), report).toBe(
		line === undefined ? "" : true,
	);
}

/** Returns a failure of each violated invariant, found within the smallest possible bounds. */
async function simplest(world: World, scenario: Scenario, start: () => Tasks, found: Failure[]): Promise<Failure[]> {
	const failures = new Map<string, Failure>();
	for (const smaller of smallerBounds) {
		for (const failure of (await explore(world, scenario, start, smaller)).failures) {
			const { invariant } = failure.violation;
			if (!failures.has(invariant)) failures.set(invariant, failure);
		}
	}
	for (const failure of found) {
		if (!failures.has(failure.violation.invariant)) failures.set(failure.violation.invariant, failure);
	}
	return [...failures.values()];
}
