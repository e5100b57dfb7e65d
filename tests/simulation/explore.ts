import { Violation } from "./invariants.ts";
import type { Prepared } from "./scenario.ts";
import { runSchedule } from "./schedule.ts";
import type { Option } from "./scheduler.ts";
import { Scope } from "./scope.ts";
import { lineOf } from "./trace.ts";

/** The maximum number of preemptions and the maximum number of faults in a schedule. */
export interface Bounds {
	preemptions: number;
	faults: number;
}

export interface Failure {
	violation: Violation;
	/** The schedule, to replay. */
	line: string;
}

interface Exploration {
	schedules: number;
	/** Whether every schedule within the bounds was run. */
	isExhausted: boolean;
	/** The first failure of each invariant. */
	failures: Failure[];
}

/** A step of the current schedule. */
interface Point {
	options: Option[];
	chosen: number;
	left: Bounds;
}

/** Runs every schedule within the bounds, depth first, up to `maxSchedules`. Skips a state that was already expanded
 *  with the same or larger bounds. */
export async function explore(
	prepared: Prepared,
	bounds: Bounds,
	maxSchedules = Number.POSITIVE_INFINITY,
): Promise<Exploration> {
	const { world, scenario } = prepared;
	const visited = new Map<string, Bounds[]>();
	const path: Point[] = [];
	const failures: Failure[] = [];
	for (let schedules = 1; ; schedules++) {
		let depth = 0;
		const choose = (options: Option[]) => {
			const known = path[depth];
			if (known) {
				depth++;
				return known.chosen;
			}
			const left = leftAfter(path.at(-1), bounds);
			// how a schedule ends does not depend on what is left of the bounds
			const needed = options.length > 0 ? left : { preemptions: 0, faults: 0 };
			if (!isNew(visited, world.state, needed)) return -1;
			const considered = scenario.alike && depth === 0 ? onlyOfFirst(options) : options;
			const point = { options: considered, chosen: 0, left };
			if (options.length > 0 && !advance(point)) return -1;
			path.push(point);
			depth++;
			return point.chosen;
		};
		const violation = await violationIn(runSchedule(prepared, choose));
		if (violation && !failures.some((failure) => failure.violation.invariant === violation.invariant)) {
			failures.push({ violation, line: lineOf(scenario, path.slice(0, depth)) });
		}
		const isExhausted = !advanceLast(path);
		if (isExhausted || schedules >= maxSchedules) return { schedules, isExhausted, failures };
	}
}

/** Runs up to `count` random schedules without bounds. Returns the first failure, if any. */
export async function exploreRandomly(prepared: Prepared, count: number, seed: number): Promise<Failure[]> {
	const { scenario } = prepared;
	for (let number = 0; number < count; number++) {
		const random = new Scope(`${scenario.title} ${seed} ${number}`);
		const path: { options: Option[]; chosen: number }[] = [];
		const choose = (options: Option[]) => {
			const chosen = chooseAtRandom(options, () => random.random() / 2 ** 32);
			path.push({ options, chosen });
			return chosen;
		};
		const violation = await violationIn(runSchedule(prepared, choose));
		if (violation) return [{ violation, line: lineOf(scenario, path) }];
	}
	return [];
}

async function violationIn(schedule: Promise<void>): Promise<Violation | null> {
	try {
		await schedule;
		return null;
	} catch (error) {
		if (error instanceof Violation) return error;
		throw error;
	}
}

/** Changes the last step of the path that has another option within the bounds, and removes the steps after it. Returns
 *  false if there is none. */
function advanceLast(path: Point[]): boolean {
	for (let last = path.at(-1); last; last = path.at(-1)) {
		last.chosen++;
		if (advance(last)) return true;
		path.pop();
	}
	return false;
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
