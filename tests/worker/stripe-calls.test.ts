import { expect, test } from "vitest";
import { book, speaker } from "../support/catalogue.ts";
import { Customer, idOf } from "../support/customer.ts";
import { openCalmShop } from "./setup.ts";

const shop = await openCalmShop();

/** Returns the endpoints of the shop's calls that `work` causes, oldest first, and the idempotency keys of its POSTs. */
async function callsDuring(work: () => Promise<unknown>) {
	const before = new Set((await shop.emulator()).journal.map(({ request_id }) => request_id));
	await work();
	const { journal } = await shop.emulator();
	const calls = journal.filter(({ request_id, caller }) => caller === "server" && !before.has(request_id)).toReversed();
	const keys = calls.filter(({ method }) => method === "POST").map(({ idempotency_key }) => idempotency_key);
	for (const key of keys) expect(key).toMatch(/./);
	const endpoints = calls.map(({ endpoint }) => endpoint?.replace("payment_intents.", ""));
	return { endpoints, keys, last: calls.at(-1) };
}

test.each([
	["after", ["create", "retrieve", "update"]],
	// the browser's return is sent to D1 and Stripe at the same time
	["before", ["create", "retrieve", "retrieve", "update"]],
])("no call to Stripe precedes the charge; with the return %s the webhook, they are %j", async (when, expected) => {
	const { endpoints, keys } = await callsDuring(async () => {
		const shopper = new Customer(shop);
		const clientSecret = await shopper.create(speaker.priceCents);
		const placing = await callsDuring(() => shopper.place(clientSecret, [speaker.id]));
		expect(placing.endpoints).toEqual([]);
		await shop.control({ control: "webhooks", mode: when === "before" ? "before_response" : "hold" });
		await shopper.confirm(clientSecret);
		expect((await shopper.fulfill(clientSecret)).status).toBe(200);
		await shop.control({ control: "release" });
		const intent = async () => (await shop.emulator()).paymentIntents.find(({ id }) => id === idOf(clientSecret));
		await expect.poll(async () => (await intent())?.metadata).toHaveProperty("items");
	});
	// the tests confirm the payment with the secret key, not in a browser
	expect(endpoints.filter((endpoint) => endpoint !== "confirm").toSorted()).toEqual(expected);
	expect(new Set(keys).size).toBe(3);
});

test("another total causes a retrieve, and a cancel and a create with keys of their own", async () => {
	const shopper = new Customer(shop);
	const first = await shopper.create(book.priceCents);
	const { endpoints, keys } = await callsDuring(() => shopper.create(speaker.priceCents, first));
	expect(endpoints).toEqual(["retrieve", "cancel", "create"]);
	expect(new Set(keys).size).toBe(2);
});

test("a call to Stripe that fails or loses its response is retried once with the same idempotency key", async () => {
	const fails = { control: "fail", endpoint: "payment_intents.create", when: "before", times: 1 } as const;
	for (const fault of [
		{ ...fails, fault: "429" },
		{ control: "shop_fault", path: "/payments/create", service: "stripe", call: 1, fault: "after" },
	] as const) {
		await shop.control(fault);
		const { endpoints, keys, last } = await callsDuring(() => new Customer(shop).create(book.priceCents));
		expect([endpoints, new Set(keys).size]).toEqual([["create", "create"], 1]);
		expect(last).toMatchObject({ status: 200, replayed: fault.fault === "after" });
	}
});
