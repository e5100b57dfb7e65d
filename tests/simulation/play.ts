import { runCron } from "./happenings.ts";
import type { Facts } from "./invariants.ts";
import type { Option } from "./scheduler.ts";
import type { World } from "./world.ts";

/** Concurrent tasks by name. */
export type Tasks = Record<string, () => Promise<void>>;

export interface Scenario {
	title: string;
	/** Makes the start of every schedule. Returns what starts the tasks of one. */
	begin(world: World): Promise<() => Tasks>;
	/** Seconds for which the tasks run side by side. */
	lasts?: number;
	/** All tasks are alike, so that it does not matter which goes first. */
	alike?: boolean;
	/** Seconds for which every step is the default one. */
	calm?: number;
}

export interface Step {
	/** Virtual milliseconds since the start. */
	ms: number;
	option: Option;
	text: string;
}

/** Chooses among the options of a step, or gives the schedule up with -1. */
type Choose = (options: Option[]) => number;

const minute = 60_000;

/** Plays one schedule from the start to its end, and holds the invariants. Returns false when `choose` gave it up.
 *  `recall` returns the facts after a step that an earlier schedule has taken alike. */
export async function play(
	world: World,
	scenario: Scenario,
	start: () => Tasks,
	choose: Choose,
	{ note, recall }: { note?: (step: Step) => void; recall?: () => Facts | undefined } = {},
): Promise<boolean> {
	world.reset();
	const { scheduler, clock, invariants } = world;
	const startedAt = clock.ms;
	const horizon = startedAt + (scenario.lasts ?? 20) * 1000;
	const take = async (option: Option) => {
		// before the step
		const ms = clock.ms - startedAt;
		const text = await scheduler.take(option);
		note?.({ ms, option, text });
	};
	for (const [name, work] of Object.entries(start())) scheduler.start(world.scope(name), work);
	await scheduler.quiet();
	for (;;) {
		const options = scheduler.options(horizon, true);
		const [usual] = options;
		if (usual && clock.ms < startedAt + (scenario.calm ?? 0) * 1000) {
			await take(usual);
			invariants.look();
			continue;
		}
		if (options.length === 0) break;
		const index = choose(options);
		if (index < 0) return false;
		const option = options[index];
		if (!option) throw new Error(`There are only ${options.length} options; has the code changed since?`);
		await take(option);
		invariants.look(recall?.());
	}
	if (choose([]) < 0) return false;
	await finish(world, take);
	return true;
}

/** The faults have ended: the cron runs as it does every five minutes, for ten minutes and again a day later. */
async function finish(world: World, take: (option: Option) => Promise<void>): Promise<void> {
	const run = async (after: number) => {
		world.clock.ms += after;
		await world.drain(world.clock.ms, take);
		// a name of its own: the scope's random numbers, and so its idempotency keys, depend on it
		const cron = world.scope(`cron at ${world.now()}`);
		world.scheduler.start(cron, () => runCron(world));
		await world.drain(world.clock.ms, take);
		if (!cron.done) await world.drain(world.clock.ms + minute, take);
	};
	await world.drain(world.clock.ms, take);
	await run(5 * minute);
	await run(5 * minute);
	world.invariants.atEnd();
	if (world.invariants.isNothingOpen) return;
	await run(25 * 60 * minute);
	await run(5 * minute);
	world.invariants.atEnd();
	world.invariants.nothingOpen();
}
