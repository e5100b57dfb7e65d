import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBareShop } from "../support/bare-shop.ts";
import { play, schedules } from "../support/schedule.ts";
import type { Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openBareShop();
});
afterAll(() => shop?.close());

const numRuns = Number(process.env["SCHEDULES"] ?? (process.env["LONG"] ? 10_000 : 60));
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));

test(`no paid order is lost, doubled or mispriced in ${numRuns} random schedules (SEED=${seed})`, {
	timeout: 3 * 60 * 60 * 1000,
}, async () => {
	const delays: number[] = [];
	await fc.assert(
		fc.asyncProperty(schedules, async (steps) => {
			delays.push(...(await play(shop, steps)));
		}),
		{ numRuns, seed, endOnFailure: true },
	);
	// a run in which hardly anything was paid has shown nothing
	expect(delays.length).toBeGreaterThan(numRuns / 5);
	console.info(`From succeeded to paid, ${delays.length} payments: ${describe(delays)}`);
});

function describe(delays: number[]): string {
	const sorted = delays.toSorted((a, b) => a - b);
	const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
	return [0.5, 0.9, 0.99, 1].map((part) => `${part * 100} % within ${at(part)} s`).join(", ");
}
