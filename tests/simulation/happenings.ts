import { currentScope, Scope } from "./scope.ts";
import { receiveEvent, reconcileOnce } from "./shop.ts";
import type { World } from "./world.ts";

// What happens to the shop from services, each in the present scope.

const always = { faults: [], lost: () => new Error("This is never lost."), textOf: () => "" };

/** One run of the cron. A run that fails is left to the next. */
export async function runCron(world: World): Promise<void> {
	await reconcileOnce(world.reach(currentScope())).catch(() => undefined);
}

/** Stripe delivers its newest event of a type as soon as there is one, and again until the shop has handled it. */
export async function deliverEvent(world: World, type: string): Promise<void> {
	const { scheduler, stripe } = world;
	const scope = currentScope();
	const event = await scheduler.call(scope, {
		...always,
		label: () => `Stripe sends ${type}`,
		faults: ["late", "clock"],
		touches: { reads: ["Stripe"], writes: [] },
		ready: () => stripe.findEvent(type) !== null,
		make: () => stripe.findEvent(type),
	});
	for (let attempt = 1; event; attempt++) {
		const isHandled = await new Promise<boolean>((resolve) => {
			const request = new Scope(`${scope.name}, attempt ${attempt}`, scope.task);
			request.onDeath = () => resolve(false);
			scheduler.start(request, () =>
				receiveEvent(world.reach(request), JSON.parse(event)).then(
					() => resolve(true),
					() => resolve(false),
				),
			);
		});
		scope.note(`handled: ${isHandled}`);
		if (isHandled) return;
		await new Promise<void>((resolve) => setTimeout(resolve, 10_000));
	}
}

/** The people who run the shop change its database. */
export function changeDatabase(world: World, label: string, sql: string): Promise<void> {
	return world.scheduler.call(currentScope(), {
		...always,
		label: () => label,
		touches: world.shop.tablesOf(sql),
		make: () => {
			world.invariants.shopChanged(world.shop.tables);
			world.shop.exec(sql);
		},
	});
}

/** The shopper reloads the page of a task: its code is gone, and what it has sent is not. */
export function reload(world: World, task: string): Promise<void> {
	const { scheduler } = world;
	return scheduler.call(currentScope(), {
		...always,
		label: () => "the shopper reloads the page",
		touches: null,
		make: () => {
			const page = [...scheduler.scopes].find(({ name }) => name === task);
			if (page?.alive) scheduler.kill(page);
		},
	});
}
