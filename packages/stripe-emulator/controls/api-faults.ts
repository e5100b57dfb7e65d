import { z } from "zod";
import { ApiError, rateLimited } from "../errors.ts";
import { endpointName } from "./endpoint-name.ts";

/** A fault to inject into the next calls to an API endpoint. */
export const apiFaultShape = z.object({
	/** Any endpoint if absent. */
	endpoint: endpointName.optional(),
	/** timeout: the response is delayed beyond the SDK's timeout. */
	fault: z.enum(["500", "429", "timeout"]),
	/** before: the work is not done. after: the work is done, and the fault replaces its response. As at Stripe, a 500
	 *  is also stored under the call's idempotency key. With any other fault, the call's own response is stored. */
	when: z.enum(["before", "after"]),
	times: z.coerce.number().int().min(1).default(1),
});
export type ApiFault = z.infer<typeof apiFaultShape>;

/** Returns the first fault that applies to an endpoint, and the faults that remain after it is used once. */
export function takeFault(
	plan: ApiFault[],
	endpoint: string | null,
): { fault: ApiFault | undefined; rest: ApiFault[] } {
	const fault = plan.find((planned) => planned.endpoint === undefined || planned.endpoint === endpoint);
	const rest = plan.flatMap((planned) => {
		if (planned !== fault) return planned;
		return planned.times > 1 ? { ...planned, times: planned.times - 1 } : [];
	});
	return { fault, rest };
}

/** Delay of a response with the timeout fault, in milliseconds. Exceeds the SDK's default timeout of 80 seconds. */
export const faultTimeout = 100_000;

/** Returns the error that a fault injects. */
export function injectedError({ fault }: ApiFault): ApiError {
	return fault === "429" ? rateLimited() : injectedServerError();
}

export function injectedServerError(): ApiError {
	return new ApiError(500, { type: "api_error", message: "An unknown error occurred." });
}
