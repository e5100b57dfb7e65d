import { z } from "zod";
import { ApiError, idempotencyKeyInUse, invalidRequest, rateLimited } from "../api/errors.ts";

/** A fault of the next calls to an endpoint of the API. */
export const apiFaultShape = z.object({
	/** The name of an endpoint, such as `payment_intents.confirm`; absent: any. */
	endpoint: z.string().min(1).optional(),
	/** timeout: the response is later than any client waits. */
	fault: z.enum(["500", "429", "lock_timeout", "409", "timeout"]),
	/** before: nothing is done. after: the work is done, and the fault replaces its response. As at Stripe, a 500 is also
	 *  stored under the call's idempotency key; for the other faults the call's own response is stored. */
	when: z.enum(["before", "after"]),
	times: z.coerce.number().int().min(1).default(1),
});
export type ApiFault = z.infer<typeof apiFaultShape>;

/** Returns the first fault for an endpoint, and the faults that remain after this use. */
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

/** Milliseconds that a timeout delays the response: more than the SDK's own timeout of 80 seconds. */
export const faultTimeout = 100_000;

/** Returns the response of a fault. */
export function injectedError({ fault }: ApiFault): ApiError {
	switch (fault) {
		case "500":
		case "timeout":
			return injectedServerError();
		case "429":
			return rateLimited();
		case "lock_timeout":
			return invalidRequest(
				"This object cannot be accessed right now because another API request or Stripe process is currently accessing it. Try again when it has ended.",
				{ code: "lock_timeout" },
				429,
			);
		case "409":
			return idempotencyKeyInUse("of another request");
	}
}

export function injectedServerError(): ApiError {
	return new ApiError(500, { type: "api_error", message: "An unknown error occurred." });
}
