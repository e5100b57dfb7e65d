import { test } from "vitest";
import { runCron } from "./events.ts";
import { inWorld, openTab, type TabOptions, wait } from "./scenario.ts";
import { currentScope } from "./scope.ts";
import { receiveEvent } from "./shop.ts";
import type { World } from "./world.ts";

// What the rule tests arrange and read. They make one call after the other, without faults.

export function testInWorld(title: string, work: (world: World) => Promise<void>): void {
	test(title, () => inWorld(work));
}

/** Places an order. Returns the payment's id. */
export const place = async (world: World, options?: TabOptions) => (await openTab(world, "places", options)).id;

export const pay = async (world: World, options: TabOptions = { user: "alice" }) =>
	(await openTab(world, "pays", options)).id;

export const payWithoutOrder = async (world: World, options?: TabOptions) =>
	(await openTab(world, "pays without an order", options)).id;

/** Records a refund of a payment's full amount that Stripe does not have. */
export function recordRefund(world: World, id: string, status: string): void {
	const [row] = world.stripe.database.all("select object ->> '$.amount' as amount from objects where id = ?", [id]);
	const amount = Number(row?.["amount"]);
	world.shop.insert("refunds", { id: `manual-${id}`, payment_intent_id: id, amount, status, created: world.now() });
}

/** Changes an object at Stripe. */
export function change({ stripe }: World, id: string, path: string, value: string | number): void {
	stripe.database.all("update objects set object = json_set(object, ?, ?) where id = ?", [path, value, id]);
}

/** Pays at Stripe without a confirmation. */
export function succeed(world: World, id: string, amount: number): void {
	change(world, id, "$.status", "succeeded");
	change(world, id, "$.amount_received", amount);
}

export const orderOf = ({ shop }: World, id: string) =>
	shop.all("select * from orders where payment_intent_id = ?", [id])[0];
export const statusOf = (world: World, id: string) => orderOf(world, id)?.["status"];
export const refundOf = ({ shop }: World, id: string) =>
	shop.all("select * from refunds where payment_intent_id = ?", [id])[0];
export const itemsOf = ({ shop }: World) => shop.all("select * from order_items order by position");
export const metadataOf = ({ stripe }: World, id: string) => {
	const [row] = stripe.database.all("select object ->> '$.metadata' as metadata from objects where id = ?", [id]);
	return JSON.parse(String(row?.["metadata"]));
};

/** Runs the cron `after` a time in milliseconds, in which Stripe's own timers fire. Returns its calls to Stripe, its log
 *  lines and their summary. */
export async function run(world: World, after = 0) {
	if (after > 0) await wait(after);
	const [calls, lines] = [world.stripe.calls.length, world.logs.length];
	await runCron(world);
	const logs = world.logs.slice(lines);
	const reconciled = logs.find(({ event }) => event === "reconciled");
	return { calls: world.stripe.calls.slice(calls).map(shorten), logs, reconciled };
}

/** Sends a webhook event. Returns the calls to Stripe. */
export async function send(world: World, type: string, object: object): Promise<string[]> {
	const { length } = world.stripe.calls;
	await receiveEvent(world.servicesOf(currentScope()), { type, data: { object: { id: "x", ...object } } });
	return world.stripe.calls.slice(length).map((call) => shorten(call).replace(/\?.*/, ""));
}

/** Returns a call to Stripe without the origin and the version of the API. */
const shorten = (call: string) => call.replace(/https:\/\/[^/]+\/v1/, "").trim();

export const mentions = (calls: string[], id: string) => calls.some((call) => call.includes(id));
