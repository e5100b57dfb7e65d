import { z } from "zod";
import { apiFaultShape } from "./api-faults.ts";
import { latencyShape } from "./latency.ts";

const tampering = z.enum(["none", "body", "signature", "timestamp"]);
const copies = z.coerce.number().int().min(1).max(100);
const flag = z.stringbool().or(z.boolean());
const event = z.string().regex(/^evt_\w+$/);

/** How webhooks are sent from now on. */
export const webhookPolicyShape = z.object({
	/** before_response: the response of the call that caused an event is sent after the event. */
	mode: z.enum(["deliver", "before_response", "hold", "drop"]).default("deliver"),
	copies: copies.default(1),
	/** Creates two events, with different ids, for each change. */
	twins: flag.default(false),
	tampering: tampering.default("none"),
});
export type WebhookPolicy = z.infer<typeof webhookPolicyShape>;

/** What tests and the console can do to the account from outside the API. */
export const accountControlShape = z.discriminatedUnion("control", [
	webhookPolicyShape.extend({ control: z.literal("webhooks") }),
	/** Sends the held events, one after the other. */
	z.object({ control: z.literal("release"), order: z.enum(["oldest_first", "newest_first"]).default("oldest_first") }),
	/** Sends any event now, whatever its state. */
	z.object({ control: z.literal("send"), event, copies: copies.default(1), tampering: tampering.default("none") }),
	z.object({ control: z.literal("discard"), event }),
	/** Makes every delivery attempt that is due. */
	z.object({ control: z.literal("deliver_due") }),
	apiFaultShape.extend({ control: z.literal("fail") }),
	latencyShape.extend({ control: z.literal("latency") }),
	/** While a confirmation is running, retrieve returns the intent as it was before. */
	z.object({ control: z.literal("stale_retrieve"), stale: flag }),
	/** Seconds that an approved charge stays in processing; by default 0. */
	z.object({ control: z.literal("processing"), seconds: z.coerce.number().int().min(0).max(604_800) }),
	/** Advances the clock by these seconds. */
	z.object({
		control: z.literal("clock"),
		advance: z.coerce
			.number()
			.int()
			.min(0)
			.max(100 * 365 * 86_400),
	}),
	/** Removes faults, latencies, stale retrieves, processing and the webhook policy. The clock stays. */
	z.object({ control: z.literal("calm") }),
]);
export type AccountControl = z.infer<typeof accountControlShape>;
/** A control as it is sent: fields with a default may be absent. */
export type Control = z.input<typeof accountControlShape>;
