import { afterAll, test } from "vitest";
import { type Bounds, explore, exploreRandomly } from "./explore.ts";
import { type Prepared, prepare, type Scenario, type ScenarioOptions } from "./scenario.ts";
import { type Trace, trace } from "./trace.ts";

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
const randomSchedules = Number(process.env["SCHEDULES"] ?? (long ? 24_000 : 0));
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

/** The number of schedules of each scenario. */
const counts = new Map<string, number>();

/** Defines a test of all schedules of a scenario, or of the one to replay. */
export function testScenario(
	title: string,
	start: Scenario["start"],
	options: ScenarioOptions,
	tasks: Scenario["tasks"],
): void {
	test.skipIf(line !== undefined && !line.startsWith(`${title}:`))(
		`${title}: every invariant holds in every schedule`,
		{ timeout: 60 * 60_000 },
		() => checkScenario({ title, start, tasks, ...options }),
	);
}

/** Runs all schedules of a scenario, or the one to replay, which it prints. Rejects with the trace of a schedule in which
 *  an invariant is violated. */
export async function checkScenario(scenario: Scenario): Promise<void> {
	const { stackTraceLimit } = Error;
	// the shop logs stack traces, and source-mapping one takes longer than a schedule
	Error.stackTraceLimit = 0;
	try {
		const prepared = await prepare(scenario);
		const report = await findReport(prepared).finally(() => prepared.world.close());
		if (report?.isViolated) throw new Error(report.text);
		// the world's console would parse it
		if (report) console.info(report.text);
	} finally {
		Error.stackTraceLimit = stackTraceLimit;
	}
}

afterAll(() => {
	const total = [...counts.values()].reduce((sum, schedules) => sum + schedules, 0);
	console.info([`${total} schedules`, ...[...counts].map((count) => count.join(": "))].join("\n"));
	if (randomSchedules > 0) console.info(`${randomSchedules} random schedules of each scenario, SEED=${seed}`);
});

/** Returns the trace of the schedule to replay, or of one in which an invariant is violated; null if there is none. */
async function findReport(prepared: Prepared): Promise<Trace | null> {
	const failure = line ?? (await findFailure(prepared));
	return failure === null ? null : trace(prepared, failure);
}

/** Explores a scenario. Returns a schedule in which an invariant is violated, within the smallest possible bounds, or
 *  null. */
async function findFailure(prepared: Prepared): Promise<string | null> {
	const { scenario } = prepared;
	for (const bounds of boundsOf(scenario)) {
		const { schedules, isExhausted, failure } = await explore(prepared, bounds, maxSchedules);
		counts.set(scenario.title, (counts.get(scenario.title) ?? 0) + schedules);
		if (failure === null) {
			if (!isExhausted) console.info(`${scenario.title} has more than ${schedules} schedules.`);
			continue;
		}
		for (const smaller of smallerBounds) {
			const { failure } = await explore(prepared, smaller);
			if (failure !== null) return failure;
		}
		return failure;
	}
	return exploreRandomly(prepared, randomSchedules, seed);
}
