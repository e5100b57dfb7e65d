import { afterAll, expect, test } from "vitest";
import { explore, simplestFailures } from "./explore.ts";
import { playAtRandom } from "./random.ts";
import { scenarios } from "./scenarios.ts";
import { follow, lineOf, trace } from "./trace.ts";
import { World } from "./world.ts";

const long = Boolean(process.env["LONG"]);
const bounds = long ? { preemptions: 3, faults: 2 } : { preemptions: 2, faults: 1 };
/** Milliseconds for one scenario. */
const patience = long ? 15 * 60_000 : Number.POSITIVE_INFINITY;
const randomSchedules = Number(process.env["SCHEDULES"] ?? (long ? 1_000_000 : 0));
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** One line of an earlier failure, to see it again. */
const line = process.env["SCHEDULE"];
const chosen = scenarios.filter(({ title }) => line === undefined || line.startsWith(`${title}:`));
const rows: (string | number)[][] = [["schedules", "states", "per second", "failures", "scenario"]];

test.for(chosen)("$title: every invariant holds in every schedule", { timeout: 60 * 60_000 }, async (scenario) => {
	const world = new World();
	const start = await world.prepare(() => scenario.begin(world));
	let report = "";
	try {
		if (line !== undefined) {
			report = await trace(world, scenario, start, follow(line), line);
		} else {
			const found = await explore(world, scenario, start, bounds, patience);
			const failures = found.failures.length > 0 ? await simplestFailures(world, scenario, start, bounds) : [];
			const random = await playAtRandom(world, scenario, start, Math.ceil(randomSchedules / scenarios.length), seed);
			for (const failure of [...failures, ...random]) {
				const again = await lineOf(world, scenario, start, failure);
				report += `${await trace(world, scenario, start, follow(again), again)}\n\n`;
			}
			const { schedules, states, exhausted, milliseconds } = found;
			const perSecond = Math.round((1000 * schedules) / milliseconds);
			const title = exhausted ? scenario.title : `${scenario.title} (stopped early)`;
			rows.push([schedules, states, perSecond, failures.length, title]);
		}
	} finally {
		world.close();
	}
	if (line !== undefined) console.info(report);
	expect(line === undefined ? report : report.includes("Every invariant holds."), report).toBe(
		line === undefined ? "" : true,
	);
});

afterAll(() => {
	const table = rows.map((row) => row.map((cell, index) => (index < 4 ? String(cell).padStart(10) : cell)).join("  "));
	console.info(`Bounds: ${bounds.preemptions} preemptions, ${bounds.faults} faults\n${table.join("\n")}`);
	if (randomSchedules > 0) console.info(`${randomSchedules} random schedules, SEED=${seed}`);
});
