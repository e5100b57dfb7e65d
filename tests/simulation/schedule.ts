import { runCron } from "./events.ts";
import { minute, type Prepared } from "./scenario.ts";
import type { Option } from "./scheduler.ts";
import { Scope } from "./scope.ts";
import type { World } from "./world.ts";

export interface Step {
	/** Virtual milliseconds since the start. */
	ms: number;
	option: Option;
	text: string;
}

/** Chooses one of a step's options. Returns its index, or -1 to abandon the schedule. */
export type Choose = (options: Option[]) => number;

/** Runs one schedule, to its end unless `choose` abandons it, and checks the invariants after every step. Calls `choose`
 *  without options before the end, and `note` with every step. */
export async function runSchedule(
	{ world, scenario, start }: Prepared,
	choose: Choose,
	note?: (step: Step) => void,
): Promise<void> {
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
		if (options.length === 0) break;
		const isCalm = clock.ms < startedAt + (scenario.calm ?? 0) * 1000;
		const index = isCalm ? 0 : choose(options);
		if (index < 0) return;
		const option = options[index];
		if (!option) throw new Error(`There are only ${options.length} options; has the code changed since?`);
		await take(option);
		monitor.check();
	}
	if (choose([]) >= 0) await finish(world, take);
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
	if (world.monitor.open.length === 0) return;
	await run(25 * 60 * minute);
	await run(5 * minute);
	world.monitor.checkEnd();
	world.monitor.checkNothingOpen();
}
