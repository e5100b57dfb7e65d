import { afterAll, expect, test } from "vitest";
import { type Bounds, explore, exploreRandomly, type Failure } from "./explore.ts";
import { type Prepared, prepare, type Scenario } from "./scenario.ts";
import { trace } from "./trace.ts";

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

interface Count {
	schedules: number;
	/** The scenario, the number of its schedules and their speed. */
	text: string;
}

export function exploreAll(scenarios: readonly Scenario[]): void {
	const counts: Count[] = [];
	for (const scenario of scenarios) {
		const { title } = scenario;
		test.skipIf(line !== undefined && !line.startsWith(`${title}:`))(
			`${title}: every invariant holds in every schedule`,
			{ timeout: 60 * 60_000 },
			async () => {
				const prepared = await prepare(scenario);
				const work = line === undefined ? check(prepared, counts) : trace(prepared, line);
				const report = await work.finally(() => prepared.world.close());
				if (line === undefined) {
					expect(report, report).toBe("");
				} else {
					console.info(report);
					expect(report).toContain("Every invariant holds.");
				}
			},
		);
	}
	afterAll(() => {
		const total = counts.reduce((sum, { schedules }) => sum + schedules, 0);
		console.info([`${total} schedules`, ...counts.map(({ text }) => text)].join("\n"));
		if (randomSchedules > 0) console.info(`${randomSchedules} random schedules of each scenario, SEED=${seed}`);
	});
}

/** Explores a scenario and adds its count. Returns the trace of a schedule for each violated invariant. */
async function check(prepared: Prepared, counts: Count[]): Promise<string> {
	// performance.now() is virtual here
	const began = process.hrtime.bigint();
	let schedules = 0;
	let suffix = "";
	const found: Failure[] = [];
	for (const bounds of boundsOf(prepared.scenario)) {
		const exploration = await explore(prepared, bounds, maxSchedules);
		schedules += exploration.schedules;
		found.push(...exploration.failures);
		if (!exploration.isExhausted) suffix = ", not exhausted";
	}
	const perSecond = Math.round((1e9 * schedules) / Number(process.hrtime.bigint() - began));
	const failures = found.length > 0 ? await simplest(prepared, found) : [];
	failures.push(...(await exploreRandomly(prepared, randomSchedules, seed)));
	const traces: string[] = [];
	for (const failure of failures) traces.push(await trace(prepared, failure.line));
	counts.push({ schedules, text: `${prepared.scenario.title}: ${schedules}, ${perSecond} per second${suffix}` });
	return traces.join("\n\n");
}

/** Returns a failure of each violated invariant, found within the smallest possible bounds. */
async function simplest(prepared: Prepared, found: Failure[]): Promise<Failure[]> {
	const smaller: Failure[] = [];
	for (const bounds of smallerBounds) smaller.push(...(await explore(prepared, bounds)).failures);
	const byInvariant = Map.groupBy([...smaller, ...found], ({ violation }) => violation.invariant);
	return [...byInvariant.values()].flatMap(([failure]) => failure ?? []);
}
