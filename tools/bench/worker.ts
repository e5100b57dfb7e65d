// Measures the size and startup time of the Worker.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { progress } from "../scripts/progress.ts";
import { weighWorker } from "./build.ts";
import { withProduction } from "./production.ts";
import { median, type Report } from "./table.ts";

const starts = 9;

/** `wrangler check startup` runs `wrangler deploy` without its own --config, so that the latter would run the custom build
 *  of wrangler.toml. */
const deployArgs = "--args=--config build/server/wrangler.json";

/** The fields of V8's CPU profile that are used here. `timeDeltas` are the microseconds before each sample. */
const profileShape = z.object({
	nodes: z.array(z.object({ id: z.number(), callFrame: z.object({ functionName: z.string() }) })),
	samples: z.array(z.number()),
	timeDeltas: z.array(z.number()),
});

export function worker(report: Report): Promise<string[]> {
	return withProduction(async (production) => {
		const bytes = await weighWorker(production);
		report("size after gzip", `${(bytes / 1000).toFixed(1)} kB (goal 200)`);
		const milliseconds: number[] = [];
		const begin = progress(starts);
		for (let start = 0; start < starts; start++) {
			begin("start");
			await production.wrangler("check", "startup", "--outfile", "start.cpuprofile", deployArgs);
			const profile = profileShape.parse(
				JSON.parse(await readFile(join(production.folder, "start.cpuprofile"), "utf8")),
			);
			milliseconds.push(activeIn(profile));
		}
		const min = Math.min(...milliseconds).toFixed(0);
		report("startup", `${median(milliseconds).toFixed(0)} ms of CPU (goal 50), min ${min}`);
		return bytes < 230_000 ? [] : ["The Worker is larger than 230 kB."];
	});
}

/** Returns the milliseconds during which V8 was not idle. */
function activeIn({ nodes, samples, timeDeltas }: z.infer<typeof profileShape>): number {
	const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
	const active = samples.map((node, index) => (idle.has(node) ? 0 : (timeDeltas[index] ?? 0)));
	return active.reduce((sum, time) => sum + time, 0) / 1000;
}
