// Measures the size and startup time of the Worker.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { weighWorker } from "./build.ts";
import { withProduction } from "./production.ts";
import { type Measured, median } from "./table.ts";

const starts = 9;

/** The fields of V8's CPU profile that are used here. `timeDeltas` are the microseconds before each sample. */
const profileShape = z.object({
	nodes: z.array(z.object({ id: z.number(), callFrame: z.object({ functionName: z.string() }) })),
	samples: z.array(z.number()),
	timeDeltas: z.array(z.number()),
});

export function worker(): Promise<Measured> {
	return withProduction(async (production) => {
		const bytes = await weighWorker(production);
		const milliseconds: number[] = [];
		for (let start = 0; start < starts; start++) {
			await production.wrangler("check", "startup", "--outfile", "start.cpuprofile");
			const profile = profileShape.parse(
				JSON.parse(await readFile(join(production.folder, "start.cpuprofile"), "utf8")),
			);
			milliseconds.push(activeIn(profile));
		}
		return {
			rows: [
				["size after gzip", `${(bytes / 1000).toFixed(1)} kB (goal 200)`],
				[
					"startup",
					`${median(milliseconds).toFixed(0)} ms of CPU (goal 50), min ${Math.min(...milliseconds).toFixed(0)}`,
				],
			],
			failures: bytes < 230_000 ? [] : ["The Worker is larger than 230 kB."],
		};
	});
}

/** Returns the milliseconds during which V8 was not idle. */
function activeIn({ nodes, samples, timeDeltas }: z.infer<typeof profileShape>): number {
	const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
	const active = samples.map((node, index) => (idle.has(node) ? 0 : (timeDeltas[index] ?? 0)));
	return active.reduce((sum, time) => sum + time, 0) / 1000;
}
