import { z } from "zod";
import { apiFaultShape } from "./api-faults.ts";
import { latencyShape } from "./latency.ts";

const tampering = z.enum(["none", "body", "signature", "timestamp"]);
const copies = z.coerce.number().int().min(1).max(100);
const flag = z.stringbool().or(z.boolean());
const event = z.string().regex(/^evt_\w+$/);

/** How webhooks go out from now on. */
export const webhookPolicyShape = z.object({
	/** before_response: the call that caused an event is answered only after the shop has heard of the event. */
	mode: z.enum(["deliver", "before_response", "hold", "drop"]).default("deliver"),
	copies: copies.default(1),
	/** Two events, with ids of their own, for everything that happens. */
	twins: flag.default(false),
	tampering: tampering.default("none"),
});
export type WebhookPolicy = z.infer<typeof webhookPolicyShape>;

/** What may be done to the account from outside the API, in tests and by hand at /stripe-emulator/. */
export const accountControlShape = z.discriminatedUnion("control", [
	webhookPolicyShape.extend({ control: z.literal("webhooks") }),
	/** Sends those that are held, one after the other. */
	z.object({ control: z.literal("release"), order: z.enum(["oldest_first", "newest_first"]).default("oldest_first") }),
	/** Sends any event now, whatever has become of it before. */
	z.object({ control: z.literal("send"), event, copies: copies.default(1), tampering: tampering.default("none") }),
	z.object({ control: z.literal("discard"), event }),
	/** Makes every attempt that is due. */
	z.object({ control: z.literal("deliver_due") }),
	apiFaultShape.extend({ control: z.literal("fail") }),
	latencyShape.extend({ control: z.literal("latency") }),
	/** While a confirmation is running, an intent is retrieved as it was before that confirmation. */
	z.object({ control: z.literal("stale_retrieve"), stale: flag }),
	/** Seconds that an approved charge stays in processing; 0 as a rule. */
	z.object({ control: z.literal("processing"), seconds: z.coerce.number().int().min(0).max(604_800) }),
	/** Seconds to put the clock forward by, the shop's too. */
	z.object({
		control: z.literal("clock"),
		advance: z.coerce
			.number()
			.int()
			.min(0)
			.max(100 * 365 * 86_400),
	}),
	/** No more faults, latency, stale retrieves, processing or webhook policy. The clock stays: time does not go back. */
	z.object({ control: z.literal("calm") }),
]);
export type AccountControl = z.infer<typeof accountControlShape>;
