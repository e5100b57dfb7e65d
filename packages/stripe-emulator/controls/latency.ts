import { z } from "zod";

/** How late the emulated API responds. */
export const latencyShape = z.object({
	/** An endpoint's name, such as `payment_intents.confirm`; absent: every endpoint without a latency of its own. */
	endpoint: z.string().min(1).optional(),
	/** 0 removes the latency. */
	milliseconds: z.coerce.number().int().min(0).max(60_000),
	/** before: the call waits, then its work is done. after: the work is done at once, then the response waits. */
	when: z.enum(["before", "after"]).default("before"),
});
export type Latency = z.infer<typeof latencyShape>;

/** Returns the latencies with `latency` in place of an earlier one of the same endpoint. */
export function withLatency(latencies: Latency[], latency: Latency): Latency[] {
	const others = latencies.filter(({ endpoint }) => endpoint !== latency.endpoint);
	return latency.milliseconds === 0 ? others : [...others, latency];
}

/** Returns the milliseconds that a call to an endpoint waits before or after its work. */
export function latencyOf(latencies: Latency[], called: string | null, when: Latency["when"]): number {
	const latency =
		latencies.find(({ endpoint }) => endpoint === called) ?? latencies.find(({ endpoint }) => endpoint === undefined);
	return latency?.when === when ? latency.milliseconds : 0;
}
