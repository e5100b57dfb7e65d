import { afterAll, expect, test } from "vitest";
import { type Bounds, explore, type Failure } from "./explore.ts";
import type { Scenario, Tasks } from "./play.ts";
import { playAtRandom } from "./random.ts";
import { scenarios } from "./scenarios.ts";
import { follow, lineOf, trace } from "./trace.ts";
import { World } from "./world.ts";

const long = Boolean(process.env["LONG"]);
/** Explored one after the other: most faults need little, and what is found with little is the easiest to read. */
const stages: Bounds[] = [
	{ preemptions: 0, faults: 0 },
	{ preemptions: 1, faults: 0 },
	{ preemptions: 0, faults: 1 },
	{ preemptions: 1, faults: 1 },
	{ preemptions: 2, faults: 1 },
	...(long ? [{ preemptions: 3, faults: 2 }] : []),
];
/** Schedules of one stage. A count, and not a time, so that every machine plays the same ones. */
const maxSchedules = Number(process.env["MAX_SCHEDULES"] ?? (long ? 100_000 : 320));
const randomSchedules = Number(process.env["SCHEDULES"] ?? (long ? 1_000_000 : 0));
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** One line of an earlier failure, to see it again. */
const line = process.env["SCHEDULE"];
const chosen = scenarios
	.filter(({ title }) => line === undefined || line.startsWith(`${title}:`))
	.map((scenario): [string, Scenario] => [scenario.title, scenario]);
const rows: (string | number)[][] = [["schedules", "per second", "failures", "exhausted to", "scenario"]];

test.for(chosen)("%s: every invariant holds in every schedule", { timeout: 60 * 60_000 }, async ([, scenario]) => {
	const world = new World();
	const start = await world.prepare(() => scenario.begin(world));
	let report = "";
	try {
		if (line !== undefined) {
			report = await trace(world, scenario, start, follow(line), line);
		} else {
			const { failures, row } = await exploreInStages(world, scenario, start);
			rows.push(row);
			const random = await playAtRandom(world, scenario, start, Math.ceil(randomSchedules / scenarios.length), seed);
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
});

async function exploreInStages(world: World, scenario: Scenario, start: () => Tasks) {
	const failures = new Map<string, Failure>();
	let [schedules, milliseconds, exhausted] = [0, 0, "nothing"];
	for (const stage of stages) {
		const found = await explore(world, scenario, start, stage, maxSchedules);
		schedules += found.schedules;
		milliseconds += found.milliseconds;
		for (const failure of found.failures) {
			const { invariant } = failure.violation;
			if (!failures.has(invariant)) failures.set(invariant, failure);
		}
		if (found.exhausted) exhausted = `${stage.preemptions} + ${stage.faults}`;
	}
	const perSecond = Math.round((1000 * schedules) / milliseconds);
	return { failures: failures.values(), row: [schedules, perSecond, failures.size, exhausted, scenario.title] };
}

afterAll(() => {
	const total = rows.slice(1).reduce((sum, [schedules]) => sum + Number(schedules), 0);
	const table = rows.map((row) => row.map((cell, index) => (index < 4 ? String(cell).padStart(12) : cell)).join("  "));
	console.info(`${total} schedules, each bound as preemptions + faults\n${table.join("\n")}`);
	if (randomSchedules > 0) console.info(`${randomSchedules} random schedules, SEED=${seed}`);
});
