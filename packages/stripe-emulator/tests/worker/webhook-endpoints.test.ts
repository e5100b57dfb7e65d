import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import { control, create, refusal, state, stripe, stripeWith } from "../support/emulator.ts";
import { openReceiver, type Receiver } from "../support/receiver.ts";

let receiver: Receiver;
beforeAll(async () => {
	receiver = await openReceiver();
});
afterAll(() => receiver.close());
afterEach(async () => {
	await control({ control: "calm" });
	receiver.respond(() => ({ status: 200, body: "" }));
	receiver.take();
	for await (const { id } of stripe.webhookEndpoints.list()) await stripe.webhookEndpoints.del(id);
});

test("an endpoint is created, retrieved, updated, listed and deleted", async () => {
	const created = await stripe.webhookEndpoints.create({
		url: receiver.url("/hook"),
		enabled_events: ["payment_intent.succeeded"],
		description: "The shop",
		metadata: { a: "1", b: "2" },
	});
	const { secret, lastResponse: _, ...endpoint } = created;
	expect(secret).toMatch(/^whsec_\w{32}$/);
	expect(endpoint).toEqual({
		id: expect.stringMatching(/^we_\w{24}$/),
		object: "webhook_endpoint",
		api_version: "2026-10-28.endive",
		application: null,
		created: expect.any(Number),
		description: "The shop",
		enabled_events: ["payment_intent.succeeded"],
		livemode: false,
		metadata: { a: "1", b: "2" },
		status: "enabled",
		url: receiver.url("/hook"),
	});
	expect(await stripe.webhookEndpoints.retrieve(endpoint.id)).toEqual(endpoint);
	const changes = { url: "https://example.com/", enabled_events: ["*" as const], description: "", disabled: true };
	const updated = await stripe.webhookEndpoints.update(endpoint.id, { ...changes, metadata: { a: "" } });
	const rest = { description: null, status: "disabled", metadata: { b: "2" } };
	expect(updated).toEqual({ ...endpoint, url: changes.url, enabled_events: ["*"], ...rest });
	const second = await stripe.webhookEndpoints.create({ url: receiver.url("/"), enabled_events: ["*"] });
	const { data, url } = await stripe.webhookEndpoints.list();
	expect(url).toBe("/v1/webhook_endpoints");
	expect(data.map(({ id, secret }) => [id, secret])).toEqual([
		[second.id, undefined],
		[endpoint.id, undefined],
	]);
	const deleted = { id: endpoint.id, object: "webhook_endpoint", deleted: true };
	expect(await stripe.webhookEndpoints.del(endpoint.id)).toEqual(deleted);
	expect(await refusal(stripe.webhookEndpoints.retrieve(endpoint.id))).toMatchObject({ code: "resource_missing" });
});

test.each([
	[{}, "Missing required param: url."],
	[{ url: "https://example.com" }, "Missing required param: enabled_events."],
	[{ url: "example.com", "enabled_events[]": "*" }, "Not a valid URL: example.com"],
	[{ url: "ftp://example.com", "enabled_events[]": "*" }, "Not a valid URL: ftp://example.com"],
	[{ url: "https://example.com", "enabled_events[]": "succeeded" }, "Invalid event type: succeeded"],
	[{ url: "https://example.com", "enabled_events[]": "*", connect: "true" }, "does not support Connect"],
	[{ url: "https://example.com", "enabled_events[]": "*", api_version: "2020-08-27" }, "in API version 2026-10-28"],
	[{ url: "https://example.com", "enabled_events[]": "*", secret: "whsec_own" }, "unknown parameter: secret"],
])("creating an endpoint with %j is refused", async (params, message) => {
	const error = await refusal(stripe.rawRequest("POST", "/v1/webhook_endpoints", params));
	expect(error).toMatchObject({ statusCode: 400 });
	expect(error.message).toContain(message);
});

test("a publishable key cannot read the endpoints", async () => {
	const error = await refusal(stripeWith(PUBLISHABLE_KEY).webhookEndpoints.list());
	expect(error).toMatchObject({ statusCode: 401 });
});

test("each endpoint receives the events that it is subscribed to, signed with its own secret", async () => {
	const endpoints = await Promise.all([
		stripe.webhookEndpoints.create({ url: receiver.url("/all"), enabled_events: ["*"] }),
		stripe.webhookEndpoints.create({ url: receiver.url("/paid"), enabled_events: ["payment_intent.succeeded"] }),
		stripe.webhookEndpoints.create({ url: receiver.url("/off"), enabled_events: ["*"] }),
	]);
	await stripe.webhookEndpoints.update(endpoints[2].id, { disabled: true });
	await control({ control: "webhooks", mode: "before_response" });
	const { id } = await create();
	await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
	const received = receiver.take().map(({ path, body, headers }) => {
		const { secret = "" } = endpoints.find(({ url }) => url.endsWith(path)) ?? {};
		const tolerance = 10 ** 9;
		return {
			path,
			event: stripe.webhooks.constructEvent(body, String(headers["stripe-signature"]), secret, tolerance),
		};
	});
	const types = (path: string) =>
		received.flatMap((each) =>
			each.path === path && each.event.type.startsWith("payment_intent") ? each.event.type : [],
		);
	expect(types("/all").toSorted()).toEqual(["payment_intent.created", "payment_intent.succeeded"]);
	expect(types("/paid")).toEqual(["payment_intent.succeeded"]);
	expect(types("/off")).toEqual([]);
	// the host's own endpoint, /all and /paid
	expect(received.find(({ path }) => path === "/paid")?.event.pending_webhooks).toBe(3);
});

test("an event is pending until every endpoint has accepted it", async () => {
	await stripe.webhookEndpoints.create({ url: receiver.url("/failing"), enabled_events: ["payment_intent.created"] });
	receiver.respond(() => ({ status: 302, headers: { Location: receiver.url("/elsewhere") }, body: "Moved" }));
	await control({ control: "webhooks", mode: "before_response" });
	const { id } = await create();
	const { event, delivery, attempts } = (await eventOf(id)) ?? {};
	expect(delivery).toMatchObject({ state: "pending", attempts: 1, answer: "302" });
	expect(attempts).toContainEqual(
		expect.objectContaining({ endpoint: receiver.url("/failing"), status: 302, answer: "Moved" }),
	);
	expect(receiver.take().map(({ path }) => path)).toEqual(["/failing"]);
	const pending = async () => (await stripe.events.retrieve(event?.id ?? "")).pending_webhooks;
	const listed = async (success: boolean) =>
		(await stripe.events.list({ delivery_success: success, limit: 1 })).data.map((each) => each.id);
	expect(await pending()).toBe(1);
	expect(await listed(false)).toEqual([event?.id]);
	receiver.respond(() => ({ status: 200, body: "x".repeat(5000) }));
	expect(await control({ control: "send", event: event?.id ?? "" })).toEqual(["200", "200"]);
	expect(await pending()).toBe(0);
	expect(await listed(true)).toEqual([event?.id]);
	expect((await eventOf(id))?.attempts.find(({ endpoint }) => endpoint.endsWith("/failing"))?.answer).toHaveLength(
		4096,
	);
});

test("a retry to a deleted endpoint is dropped, and an event can be sent to a new endpoint", async () => {
	const first = await stripe.webhookEndpoints.create({ url: receiver.url("/old"), enabled_events: ["*"] });
	await control({ control: "webhooks", mode: "hold" });
	const { id } = await create();
	await stripe.webhookEndpoints.del(first.id);
	await stripe.webhookEndpoints.create({ url: receiver.url("/new"), enabled_events: ["*"] });
	await control({ control: "release" });
	expect(receiver.take()).toEqual([]);
	const { event } = (await eventOf(id)) ?? {};
	await control({ control: "send", event: event?.id ?? "" });
	expect(receiver.take().map(({ path }) => path)).toEqual(["/new"]);
});

test("an endpoint that cannot be reached is reported with an error", async () => {
	await stripe.webhookEndpoints.create({ url: "http://127.0.0.1:1/", enabled_events: ["*"] });
	await control({ control: "webhooks", mode: "before_response" });
	const { id } = await create();
	const { attempts = [] } = (await eventOf(id)) ?? {};
	const unreachable = { endpoint: "http://127.0.0.1:1/", status: null, answer: expect.stringMatching(/./) };
	expect(attempts).toContainEqual(expect.objectContaining(unreachable));
});

/** Returns the intent's created event with its delivery. */
async function eventOf(intent: string) {
	const { events } = await state();
	return events.find(({ event }) => event.type === "payment_intent.created" && event.data.object.id === intent);
}
