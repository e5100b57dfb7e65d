import { z } from "zod";
import { endpointName } from "./endpoint-name.ts";

/** A delay of calls to the emulated API. */
export const latencyShape = z.object({
	/** If absent, every endpoint without its own latency. */
	endpoint: endpointName.optional(),
	/** 0 removes the latency. */
	milliseconds: z.coerce.number().int().min(0).max(60_000),
	/** before: delays the work and the response. after: does the work immediately and delays only the response. */
	when: z.enum(["before", "after"]).default("before"),
});
export type Latency = z.infer<typeof latencyShape>;

/** Returns the latencies with `latency` in place of the endpoint's previous latency. */
export function withLatency(latencies: Latency[], latency: Latency): Latency[] {
	const others = latencies.filter(({ endpoint }) => endpoint !== latency.endpoint);
	return latency.milliseconds === 0 ? others : [...others, latency];
}

/** Returns the delay of a call to an endpoint before or after its work, in milliseconds. */
export function latencyOf(latencies: Latency[], called: string | null, when: Latency["when"]): number {
	const latency =
		latencies.find(({ endpoint }) => endpoint === called) ?? latencies.find(({ endpoint }) => endpoint === undefined);
	return latency?.when === when ? latency.milliseconds : 0;
}
