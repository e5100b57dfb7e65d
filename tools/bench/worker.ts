// Measures the size and startup time of the Worker.
import { progress } from "../scripts/progress.ts";
import { startupOf, weighWorker } from "./build.ts";
import { withProduction } from "./production.ts";
import { repetitions } from "./short.ts";
import { median, type Report } from "./table.ts";

const starts = repetitions(9);

export function worker(report: Report): Promise<string[]> {
	return withProduction(async (production) => {
		const bytes = await weighWorker(production);
		report("size after gzip", `${(bytes / 1000).toFixed(1)} kB (goal 280)`);
		const milliseconds: number[] = [];
		const begin = progress(starts);
		for (let start = 0; start < starts; start++) {
			begin("start");
			milliseconds.push(await startupOf(production));
		}
		const min = Math.min(...milliseconds).toFixed(0);
		report("startup", `${median(milliseconds).toFixed(0)} ms of CPU (goal 50), min ${min}`);
		return bytes < 280_000 ? [] : ["The Worker is larger than 280 kB."];
	});
}
