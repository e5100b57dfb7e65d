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

interface Exploration {
	schedules: number;
	/** Whether every schedule within the bounds was run. */
	isExhausted: boolean;
	/** The first schedule in which an invariant is violated, to replay. */
	failure: string | null;
}

/** A step of the current schedule. */
interface Point {
	options: Option[];
	/** The indices of the options that are still to be explored. The first one is chosen. */
	choices: number[];
	left: Bounds;
}

/** Runs every schedule within the bounds, depth first, up to `maxSchedules` or to the first violation. Skips a state that
 *  was already expanded with the same or larger bounds. */
export async function explore(
	prepared: Prepared,
	bounds: Bounds,
	maxSchedules = Number.POSITIVE_INFINITY,
): Promise<Exploration> {
	const { world, scenario } = prepared;
	const visited = new Map<string, Bounds[]>();
	const path: Point[] = [];
	const expand = (options: Option[]): Point => {
		const left = leftAfter(path.at(-1)) ?? bounds;
		const isEnd = options.length === 0;
		// how a schedule ends does not depend on what is left of the bounds
		const isKnown = !isNew(visited, world.state, isEnd ? { preemptions: 0, faults: 0 } : left);
		const task = scenario.alike && path.length === 0 ? options[0]?.call?.scope.task : undefined;
		const choices = options.flatMap((option, index) => (isAllowed(option, left, task) ? [index] : []));
		return { options, choices: isKnown ? [] : isEnd ? [0] : choices, left };
	};
	for (let schedules = 1; ; schedules++) {
		let depth = 0;
		const choose = (options: Option[]) => {
			if (depth === path.length) {
				const point = expand(options);
				if (point.choices.length === 0) return -1;
				path.push(point);
			}
			return path[depth++]?.choices[0] ?? -1;
		};
		if (await isViolated(runSchedule(prepared, choose))) {
			return { schedules, isExhausted: false, failure: lineOf(scenario, path.slice(0, depth)) };
		}
		removeExplored(path);
		const isExhausted = path.length === 0;
		if (isExhausted || schedules >= maxSchedules) return { schedules, isExhausted, failure: null };
	}
}

/** Runs up to `count` random schedules without bounds. Returns the first in which an invariant is violated, if any. */
export async function exploreRandomly(prepared: Prepared, count: number, seed: number): Promise<string | null> {
	const { scenario } = prepared;
	for (let number = 0; number < count; number++) {
		const random = new Scope(`${scenario.title} ${seed} ${number}`);
		const path: Pick<Point, "options" | "choices">[] = [];
		const choose = (options: Option[]) => {
			const chosen = chooseAtRandom(options, () => random.random() / 2 ** 32);
			path.push({ options, choices: [chosen] });
			return chosen;
		};
		if (await isViolated(runSchedule(prepared, choose))) return lineOf(scenario, path);
	}
	return null;
}

function isViolated(schedule: Promise<void>): Promise<boolean> {
	return schedule.then(
		() => false,
		(error) => {
			if (error instanceof Violation) return true;
			throw error;
		},
	);
}

/** Moves to the next option of the last step that has one, and removes the steps after it. */
function removeExplored(path: Point[]): void {
	for (let last = path.at(-1); last; last = path.at(-1)) {
		last.choices.shift();
		if (last.choices.length > 0) return;
		path.pop();
	}
}

/** Returns whether an option is within the bounds, and is of `task` if that is given. */
function isAllowed({ preemptions, fault, asleep, call }: Option, left: Bounds, task: string | undefined): boolean {
	if (asleep || (task !== undefined && call?.scope.task !== task)) return false;
	return preemptions <= left.preemptions && (fault ? 1 : 0) <= left.faults;
}

function leftAfter(point: Point | undefined): Bounds | undefined {
	const option = point?.options[point.choices[0] ?? 0];
	if (!point || !option) return point?.left;
	const { preemptions, faults } = point.left;
	return { preemptions: preemptions - option.preemptions, faults: faults - (option.fault ? 1 : 0) };
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
