import { type Facts, Violation } from "./invariants.ts";
import { play, type Scenario, type Tasks } from "./play.ts";
import type { Option } from "./scheduler.ts";
import type { World } from "./world.ts";

/** How often a schedule may preempt a task, and how many faults it may have. */
export interface Bounds {
	preemptions: number;
	faults: number;
}

/** A schedule: which of the options was taken at each step. */
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
	/** False when there are more schedules than were to be played. */
	exhausted: boolean;
	failures: Failure[];
}

interface Point {
	options: Option[];
	chosen: number;
	left: Bounds;
	facts: Facts;
}

/** Plays every schedule within the bounds, depth first, but no more than `maxSchedules`. A state that was already
 *  expanded with bounds as large is not expanded again. Keeps the first failure of each invariant. */
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
			if (!isNew(visited, world.state, left)) return -1;
			const considered = scenario.alike && depth === 0 ? onlyOfFirst(options) : options;
			const point = { options: considered, chosen: 0, left, facts: world.invariants.facts };
			if (options.length > 0 && !advance(point)) return -1;
			path.push(point);
			depth++;
			return point.chosen;
		};
		schedules++;
		try {
			await play(world, scenario, start, choose, { recall: () => path[depth]?.facts });
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

/** The same options, of which only those of the first task are considered. */
function onlyOfFirst(options: Option[]): Option[] {
	const first = options[0]?.call?.scope.task;
	return options.map((option) => ({ ...option, asleep: option.call?.scope.task !== first }));
}

/** Goes on to the next option that the bounds allow, from the present one on. False when there is none. */
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
