import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { play, schedules } from "../support/schedule.ts";
import { openShop } from "../support/shop.ts";

const total = Number(process.env["SCHEDULES"] ?? (process.env["LONG"] ? 10_000 : 20));
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** Schedules per shop. Several shops run in parallel, because a schedule spends much of its time on timeouts. */
const numRuns = Math.min(total, 100);
const seeds = Array.from({ length: Math.ceil(total / numRuns) }, (_, shop) => seed + shop);
const delays: number[] = [];

test.concurrent.for(seeds)(
	`no paid order is lost, duplicated or mispriced in ${numRuns} random schedules (SEED=%i SCHEDULES=${numRuns})`,
	{ timeout: 30 * 60 * 1000 },
	async (seed) => {
		const shop = await openShop();
		try {
			await fc.assert(
				fc.asyncProperty(schedules, async (steps) => {
					delays.push(...(await play(shop, steps)));
				}),
				{ numRuns, seed, endOnFailure: true },
			);
		} finally {
			await shop.close();
		}
	},
);

afterAll(() => {
	const sorted = delays.toSorted((a, b) => a - b);
	const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
	const distribution = [0.5, 0.9, 0.99, 1].map((part) => `${part * 100} % within ${at(part)} s`).join(", ");
	console.info(`From succeeded to paid, ${delays.length} payments: ${distribution}`);
	// a run with hardly any payments proves nothing
	expect(delays.length).toBeGreaterThan(total / 5);
});
