import type { Failure } from "./explore.ts";
import { Violation } from "./invariants.ts";
import { runSchedule, type Scenario, type Tasks } from "./schedule.ts";
import type { Option } from "./scheduler.ts";
import { Scope } from "./scope.ts";
import type { World } from "./world.ts";

/** Runs up to `count` random schedules without bounds. Returns the first failure, if any. */
export async function exploreRandomly(
	world: World,
	scenario: Scenario,
	start: () => Tasks,
	count: number,
	seed: number,
): Promise<Failure[]> {
	for (let number = 0; number < count; number++) {
		const random = new Scope(`${scenario.title} ${seed} ${number}`);
		const choices: number[] = [];
		const choose = (options: Option[]) => {
			const index = chooseAtRandom(options, () => random.random() / 2 ** 32);
			choices.push(index);
			return index;
		};
		try {
			await runSchedule(world, scenario, start, choose);
		} catch (error) {
			if (error instanceof Violation) return [{ violation: error, choices }];
			throw error;
		}
	}
	return [];
}

/** Chooses a fault in one step in fifteen, and allows a preemption in one step in five. */
function chooseAtRandom(options: Option[], random: () => number): number {
	const kind = random();
	const fits = ({ fault, preemptions }: Option) => {
		if (kind < 1 / 15) return fault !== null;
		return fault === null && (kind < 1 / 15 + 1 / 5 || preemptions === 0);
	};
	const fitting = options.flatMap((option, index) => (fits(option) ? [index] : []));
	return fitting[Math.floor(random() * fitting.length)] ?? 0;
}
