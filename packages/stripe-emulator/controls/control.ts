import { z } from "zod";
import { apiFaultShape } from "./api-faults.ts";
import { latencyShape } from "./latency.ts";

const tampering = z.enum(["none", "body", "signature", "timestamp"]);
const copies = z.coerce.number().int().min(1).max(100);
const flag = z.stringbool().or(z.boolean());
const event = z.string().regex(/^evt_\w+$/);

/** How the webhooks of new events are sent. */
export const webhookPolicyShape = z.object({
	/** before_response: an event's webhook is sent before the response to the API call that caused it. */
	mode: z.enum(["deliver", "before_response", "hold", "drop"]).default("deliver"),
	copies: copies.default(1),
	/** Whether to create two events, with different ids, for each change. */
	twins: flag.default(false),
	tampering: tampering.default("none"),
});
export type WebhookPolicy = z.infer<typeof webhookPolicyShape>;

/** The account's controls, for tests and the console. A control with any other field is refused. */
export const accountControlShape = z.discriminatedUnion("control", [
	webhookPolicyShape.extend({ control: z.literal("webhooks") }).strict(),
	/** Sends the held events, one at a time. */
	z.strictObject({
		control: z.literal("release"),
		order: z.enum(["oldest_first", "newest_first"]).default("oldest_first"),
	}),
	/** Sends an event now, regardless of the state of its delivery. */
	z.strictObject({
		control: z.literal("send"),
		event,
		copies: copies.default(1),
		tampering: tampering.default("none"),
	}),
	z.strictObject({ control: z.literal("discard"), event }),
	/** Makes every delivery attempt that is due. */
	z.strictObject({ control: z.literal("deliver_due") }),
	apiFaultShape.extend({ control: z.literal("fail") }).strict(),
	latencyShape.extend({ control: z.literal("latency") }).strict(),
	/** While a confirmation is running, retrieve returns the intent as it was before the confirmation. */
	z.strictObject({ control: z.literal("stale_retrieve"), stale: flag }),
	/** Sets how long an approved charge stays in processing, in seconds; the default is 0. */
	z.strictObject({ control: z.literal("processing"), seconds: z.coerce.number().int().min(0).max(604_800) }),
	/** Advances the account's clock, in seconds. */
	z.strictObject({
		control: z.literal("clock"),
		advance: z.coerce
			.number()
			.int()
			.min(0)
			.max(100 * 365 * 86_400),
	}),
	/** Refunds `amount` cents of a payment, or the rest of it, as the Dashboard does. */
	z.strictObject({
		control: z.literal("refund"),
		payment_intent: z.string().regex(/^pi_\w+$/),
		amount: z.coerce.number().int().positive().optional(),
	}),
	/** Resets faults, latencies, stale retrieves, the processing time and the webhook policy. Keeps the clock. */
	z.strictObject({ control: z.literal("calm") }),
	/** Deletes all data, and resets the settings and the clock. */
	z.strictObject({ control: z.literal("reset") }),
]);
export type AccountControl = z.infer<typeof accountControlShape>;
/** A control as clients send it: fields with a default may be absent. */
export type Control = z.input<typeof accountControlShape>;
