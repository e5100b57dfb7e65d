import { currentScope, Scope } from "./scope.ts";
import { receiveEvent, reconcileOnce, type Settings } from "./shop.ts";
import type { World } from "./world.ts";

// Events outside the browsers, each in the current scope.

/** Runs the cron once. Ignores a failure, because the next run completes the work. */
export async function runCron(world: World): Promise<void> {
	await reconcileOnce(world.servicesOf(currentScope())).catch(() => undefined);
}

/** Delivers Stripe's newest event of a type as soon as one exists, and retries until the shop has handled it. */
export async function deliverEvent(world: World, type: string): Promise<void> {
	const { scheduler, stripe } = world;
	const scope = currentScope();
	const event = await scheduler.call(scope, {
		label: () => `Stripe sends ${type}`,
		faults: ["late", "clock"],
		touches: { reads: ["Stripe"], writes: [] },
		ready: () => stripe.findEvent(type) !== null,
		make: () => stripe.findEvent(type),
	});
	for (let attempt = 1; event; attempt++) {
		const { object } = JSON.parse(event).data;
		const handled = world.monitor.handling(object.payment_intent ?? object.id);
		const isHandled = await new Promise<boolean>((resolve) => {
			const request = new Scope(`${scope.name}, attempt ${attempt}`, scope.task);
			request.note(event);
			request.onDeath = () => resolve(false);
			scheduler.start(request, () =>
				receiveEvent(world.servicesOf(request), JSON.parse(event)).then(
					() => resolve(true),
					() => resolve(false),
				),
			);
		});
		scope.note(`handled: ${isHandled}`);
		if (isHandled && type === "payment_intent.succeeded") world.monitor.reports(object.id);
		if (isHandled) return handled();
		await new Promise<void>((resolve) => setTimeout(resolve, 10_000));
	}
}

/** Changes settings of the Worker. Requests that have begun keep theirs. */
export function changeSettings(world: World, settings: Partial<Settings>): Promise<void> {
	return world.scheduler.call(currentScope(), {
		label: () => `the operator sets ${JSON.stringify(settings)}`,
		touches: null,
		make: () => {
			world.settings = { ...world.settings, ...settings };
		},
	});
}

/** Changes the shop's database directly, as an operator would. */
export function changeDatabase(world: World, label: string, sql: string): Promise<void> {
	return world.scheduler.call(currentScope(), {
		label: () => label,
		touches: world.shop.tablesOf(sql),
		make: () => world.shop.exec(sql),
	});
}
