import { runCron } from "./events.ts";
import type { Option } from "./scheduler.ts";
import { Scope } from "./scope.ts";
import type { Snapshot } from "./snapshot.ts";
import type { World } from "./world.ts";

/** Concurrent tasks by name. */
export type Tasks = Record<string, () => Promise<void>>;

export interface Scenario {
	title: string;
	/** Creates the state in which every schedule starts. Returns a function that creates the tasks of one schedule. */
	begin(world: World): Promise<() => Tasks>;
	/** Period in which the tasks are interleaved, in virtual seconds. 20 by default. */
	lasts?: number;
	/** Whether all tasks are identical. If so, only schedules that start with the first task are explored. */
	alike?: boolean;
	/** Whether `npm test` explores a fault together with a preemption. */
	combinesFaults?: boolean;
	/** Initial period in which every step is the default one, in virtual seconds. */
	calm?: number;
}

export interface Step {
	/** Virtual milliseconds since the start. */
	ms: number;
	option: Option;
	text: string;
}

/** Chooses one of a step's options. Returns its index, or -1 to abandon the schedule. */
type Choose = (options: Option[]) => number;

interface Hooks {
	/** Called with every step. */
	note?: (step: Step) => void;
	/** Returns the snapshot after the same step of an earlier schedule. */
	recall?: () => Snapshot | undefined;
}

const minute = 60_000;

/** Runs one schedule to its end and checks the invariants. Returns false if `choose` abandoned it. */
export async function runSchedule(
	world: World,
	scenario: Scenario,
	start: () => Tasks,
	choose: Choose,
	{ note, recall }: Hooks = {},
): Promise<boolean> {
	world.reset();
	const { scheduler, clock, monitor } = world;
	const startedAt = clock.ms;
	const horizon = startedAt + (scenario.lasts ?? 20) * 1000;
	const take = async (option: Option) => {
		// read before the step, which may advance the clock
		const ms = clock.ms - startedAt;
		const text = await scheduler.take(option);
		note?.({ ms, option, text });
	};
	for (const [name, work] of Object.entries(start())) scheduler.start(new Scope(name), work);
	await scheduler.settle();
	for (;;) {
		const options = scheduler.options(horizon, true);
		const [usual] = options;
		if (usual && clock.ms < startedAt + (scenario.calm ?? 0) * 1000) {
			await take(usual);
			monitor.check();
			continue;
		}
		if (options.length === 0) break;
		const index = choose(options);
		if (index < 0) return false;
		const option = options[index];
		if (!option) throw new Error(`There are only ${options.length} options; has the code changed since?`);
		await take(option);
		monitor.check(recall?.());
	}
	if (choose([]) < 0) return false;
	await finish(world, take);
	return true;
}

/** Completes the schedule without faults, then runs the cron twice, five minutes apart. If anything is still open, runs
 *  the cron twice again a day later. */
async function finish(world: World, take: (option: Option) => Promise<void>): Promise<void> {
	const run = async (after: number) => {
		world.clock.ms += after;
		await world.drain(world.clock.ms, take);
		// the name must be unique: the scope's random numbers, and therefore its idempotency keys, depend on it
		const cron = new Scope(`cron at ${world.now()}`);
		world.scheduler.start(cron, () => runCron(world));
		await world.drain(world.clock.ms, take);
		if (!cron.done) await world.drain(world.clock.ms + minute, take);
	};
	await world.drain(world.clock.ms, take);
	await run(5 * minute);
	await run(5 * minute);
	world.monitor.checkEnd();
	if (world.monitor.isNothingOpen) return;
	await run(25 * 60 * minute);
	await run(5 * minute);
	world.monitor.checkEnd();
	world.monitor.checkNothingOpen();
}
