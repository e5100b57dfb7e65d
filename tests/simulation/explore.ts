import { Violation } from "./invariants.ts";
import { runSchedule, type Scenario, type Tasks } from "./schedule.ts";
import type { Option } from "./scheduler.ts";
import type { Snapshot } from "./snapshot.ts";
import type { World } from "./world.ts";

/** The maximum number of preemptions and the maximum number of faults in a schedule. */
export interface Bounds {
	preemptions: number;
	faults: number;
}

/** A schedule: the index of the option chosen at each step. */
export type Choices = number[];

export interface Failure {
	violation: Violation;
	choices: Choices;
}

export interface Exploration {
	schedules: number;
	states: number;
	steps: number;
	milliseconds: number;
	/** False if the search stopped at `maxSchedules`. */
	exhausted: boolean;
	failures: Failure[];
}

interface Point {
	options: Option[];
	chosen: number;
	left: Bounds;
	snapshot: Snapshot;
}

/** Runs every schedule within the bounds, depth first, up to `maxSchedules`. Skips a state that was already expanded
 *  with the same or larger bounds. Keeps the first failure of each invariant. */
export async function explore(
	world: World,
	scenario: Scenario,
	start: () => Tasks,
	bounds: Bounds,
	maxSchedules = Number.POSITIVE_INFINITY,
): Promise<Exploration> {
	const began = performance.now();
	const visited = new Map<string, Bounds[]>();
	const path: Point[] = [];
	const failures: Failure[] = [];
	let schedules = 0;
	let steps = 0;
	for (;;) {
		let depth = 0;
		const choose = (options: Option[]) => {
			const known = path[depth];
			if (known) {
				depth++;
				return known.chosen;
			}
			const left = leftAfter(path.at(-1), bounds);
			steps++;
			// how a schedule ends does not depend on what is left of the bounds
			const needed = options.length > 0 ? left : { preemptions: 0, faults: 0 };
			if (!isNew(visited, world.state, needed)) return -1;
			const considered = scenario.alike && depth === 0 ? onlyOfFirst(options) : options;
			const point = { options: considered, chosen: 0, left, snapshot: world.monitor.snapshot };
			if (options.length > 0 && !advance(point)) return -1;
			path.push(point);
			depth++;
			return point.chosen;
		};
		schedules++;
		try {
			await runSchedule(world, scenario, start, choose, { recall: () => path[depth]?.snapshot });
		} catch (error) {
			if (!(error instanceof Violation)) throw error;
			if (!failures.some(({ violation }) => violation.invariant === error.invariant)) {
				failures.push({ violation: error, choices: path.slice(0, depth).map(({ chosen }) => chosen) });
			}
		}
		for (;;) {
			const last = path.at(-1);
			if (!last || schedules >= maxSchedules) {
				const milliseconds = performance.now() - began;
				return { schedules, steps, states: visited.size, milliseconds, exhausted: !last, failures };
			}
			last.chosen++;
			if (advance(last)) break;
			path.pop();
		}
	}
}

/** Marks the options of all tasks but the first as asleep. */
function onlyOfFirst(options: Option[]): Option[] {
	const first = options[0]?.call?.scope.task;
	return options.map((option) => ({ ...option, asleep: option.call?.scope.task !== first }));
}

/** Moves to the next option within the bounds, starting from the current one. Returns false if there is none. */
function advance(point: Point): boolean {
	const { options, left } = point;
	const next = options.findIndex(
		({ preemptions, fault, asleep }, index) =>
			index >= point.chosen && !asleep && preemptions <= left.preemptions && (fault ? 1 : 0) <= left.faults,
	);
	point.chosen = next;
	return next >= 0;
}

function leftAfter(point: Point | undefined, bounds: Bounds): Bounds {
	const option = point?.options[point.chosen];
	if (!point || !option) return point?.left ?? bounds;
	return {
		preemptions: point.left.preemptions - option.preemptions,
		faults: point.left.faults - (option.fault ? 1 : 0),
	};
}

function isNew(visited: Map<string, Bounds[]>, state: string, left: Bounds): boolean {
	const known = visited.get(state) ?? [];
	if (known.some(({ preemptions, faults }) => preemptions >= left.preemptions && faults >= left.faults)) return false;
	visited.set(state, [...known, left]);
	return true;
}
