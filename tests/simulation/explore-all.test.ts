import { expect, test } from "vitest";
import { checkScenario } from "./explore-all.ts";

test("a violated invariant is reported with the command that replays it, each step, and the invariant", async () => {
	const violated = checkScenario({
		title: "order marked as paid by hand",
		start: "places",
		tasks: ({ world, cron }) => ({
			cron,
			async operator() {
				world.shop.exec("update orders set status = 'paid'");
			},
		}),
	});
	await expect(violated).rejects.toThrow(
		/^I2: pi_1 is paid, and its intent .*SCHEDULE="order marked as paid by hand: .*\n {2}1 0\.0s cron: D1: .*\nI2: pi_1 /s,
	);
});
