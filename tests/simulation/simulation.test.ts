import { expect, test } from "vitest";
import { explore } from "./explore.ts";
import { scenarios } from "./scenarios.ts";
import { lineOf, trace } from "./trace.ts";
import { World } from "./world.ts";

test.for(scenarios)("$title", async (scenario) => {
	const world = new World();
	let report = "";
	let info = "";
	try {
		const start = await world.prepare(() => scenario.begin(world));
		const found = await explore(world, scenario, start, {
			preemptions: Number(process.env["P"] ?? 2),
			faults: Number(process.env["F"] ?? 1),
		});
		info = `${scenario.title}: ${found.schedules} schedules, ${found.states} states, ${found.milliseconds | 0} ms`;
		for (const failure of found.failures) {
			report += await trace(world, scenario, start, await lineOf(world, scenario, start, failure));
		}
	} finally {
		world.close();
	}
	console.info(info);
	expect(report).toBe("");
});
