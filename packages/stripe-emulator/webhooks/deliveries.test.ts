import { expect, test } from "vitest";
import { nextAttempt } from "./deliveries.ts";

test("a webhook is retried after 10 seconds, 1 minute, 6 minutes and then at growing intervals for three days", () => {
	const created = 1_770_000_000;
	const times: number[] = [];
	for (
		let next: number | null = created;
		next !== null;
		next = nextAttempt(next, { attempts: times.length - 1, created })
	) {
		times.push(next);
	}
	const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
	expect(waits).toEqual([10, 60, 360, 2160, 12_960, ...Array.from({ length: 5 }, () => 43_200)]);
});
