import type Stripe from "stripe";
import { API_VERSION } from "../objects/event.ts";
import { newWebhookEndpoint } from "../objects/webhook-endpoint.ts";
import type { KeptWebhookEndpoint } from "../store.ts";
import { invalidRequest, missingParameter, noSuch } from "./errors.ts";
import { list } from "./list.ts";
import type { Parameters } from "./parameters.ts";
import type { Call, Route } from "./routes.ts";

const all = /^\/v1\/webhook_endpoints$/;
const one = /^\/v1\/webhook_endpoints\/(\w+)$/;
const common = { browsers: "refused", returns: "webhook_endpoint" } as const;

export const webhookEndpointRoutes: readonly Route[] = [
	{ name: "webhook_endpoints.create", method: "POST", path: all, ...common, prepare: create },
	{ name: "webhook_endpoints.list", method: "GET", path: all, ...common, prepare: listAll },
	{ name: "webhook_endpoints.retrieve", method: "GET", path: one, ...common, prepare: retrieve },
	{ name: "webhook_endpoints.update", method: "POST", path: one, ...common, prepare: update },
	{ name: "webhook_endpoints.delete", method: "DELETE", path: one, ...common, prepare: remove },
];

function create({ params, store, now }: Call) {
	params.only("api_version", "connect", "description", "enabled_events", "metadata", "url");
	const url = readUrl(params);
	if (url === undefined) throw missingParameter("url");
	const events = readEvents(params);
	if (!events) throw missingParameter("enabled_events");
	const version = params.text("api_version");
	if (version !== undefined && version !== API_VERSION) {
		const message = `The emulator sends all events in API version ${API_VERSION}.`;
		throw invalidRequest(message, { param: "api_version" });
	}
	if (params.boolean("connect")) {
		throw invalidRequest("The emulator does not support Connect webhook endpoints.", { param: "connect" });
	}
	const description = params.clearable("description") ?? null;
	const metadata = Object.fromEntries(params.metadata("metadata") ?? []);
	return () => {
		const endpoint = newWebhookEndpoint({ url, enabled_events: events, description, metadata }, now);
		store.save("webhook_endpoint", endpoint.id, endpoint);
		return endpoint satisfies Stripe.WebhookEndpoint;
	};
}

function update(call: Call) {
	const { params, store } = call;
	params.only("description", "disabled", "enabled_events", "metadata", "url");
	const url = readUrl(params);
	const events = readEvents(params);
	const disabled = params.boolean("disabled");
	const description = params.clearable("description");
	const metadata = params.metadata("metadata");
	return () => {
		const before = find(call);
		const after: KeptWebhookEndpoint = {
			...before,
			...(url !== undefined && { url }),
			...(events && { enabled_events: events }),
			...(disabled !== undefined && { status: disabled ? "disabled" : "enabled" }),
			...(description !== undefined && { description }),
			...(metadata !== undefined && { metadata: merged(before.metadata, metadata) }),
		};
		store.save("webhook_endpoint", after.id, after);
		return withoutSecret(after);
	};
}

/** Returns the metadata after a change: null removes all keys, and an empty value removes its key. */
function merged(before: Stripe.Metadata, changes: Map<string, string> | null): Stripe.Metadata {
	if (!changes) return {};
	return Object.fromEntries(Object.entries({ ...before, ...Object.fromEntries(changes) }).filter(([, text]) => text));
}

function retrieve(call: Call) {
	call.params.only();
	return () => withoutSecret(find(call));
}

function remove(call: Call) {
	call.params.only();
	return () => {
		const { id } = find(call);
		call.store.delete("webhook_endpoint", id);
		return { id, object: "webhook_endpoint", deleted: true } satisfies Stripe.DeletedWebhookEndpoint;
	};
}

function listAll(call: Call) {
	const listed = list(call, "webhook_endpoint");
	return () => {
		const found = listed();
		return { ...found, data: found.data.map(withoutSecret) };
	};
}

function find({ id, store }: Call): KeptWebhookEndpoint {
	const endpoint = store.find("webhook_endpoint", id);
	if (endpoint) return endpoint;
	throw noSuch("webhook endpoint", id, "id");
}

/** Returns the endpoint as every response except that of `create` contains it. */
function withoutSecret({ secret: _, ...endpoint }: KeptWebhookEndpoint): Stripe.WebhookEndpoint {
	return endpoint;
}

function readUrl(params: Parameters): string | undefined {
	const url = params.text("url");
	if (url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? "")) return url;
	throw invalidRequest(`Not a valid URL: ${url} (an http or https URL is required)`, {
		code: "url_invalid",
		param: "url",
	});
}

/** Reads event types. Stripe has many more types than the emulator creates, so any well-formed type is accepted. */
function readEvents(params: Parameters): string[] | undefined {
	const types = params.list("enabled_events");
	for (const type of types ?? []) {
		if (type === "*" || /^[a-z0-9_]+(\.[a-z0-9_]+)+$/.test(type)) continue;
		const message = `Invalid event type: ${type}. Use a type such as payment_intent.succeeded, or *.`;
		throw invalidRequest(message, { param: "enabled_events" });
	}
	return types;
}
