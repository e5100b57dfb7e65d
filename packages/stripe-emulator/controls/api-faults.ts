import { z } from "zod";
import { ApiError, idempotencyKeyInUse, invalidRequest, rateLimited } from "../api/errors.ts";

/** What shall go wrong with the next calls to an endpoint of the emulated API. */
export const apiFaultShape = z.object({
	/** By its name, such as `payment_intents.confirm`; absent: any. */
	endpoint: z.string().min(1).optional(),
	/** A timeout is an answer that does not come for as long as anybody would wait. */
	fault: z.enum(["500", "429", "lock_timeout", "409", "timeout"]),
	/** Before: nothing has been done. After: the work is done, and this is all that the caller hears of it. A 500
	 *  afterwards is also what is kept under the call's idempotency key, as at Stripe; in place of the others the call's
	 *  own answer is kept. */
	when: z.enum(["before", "after"]),
	times: z.coerce.number().int().min(1).default(1),
});
export type ApiFault = z.infer<typeof apiFaultShape>;

/** The first fault planned for an endpoint, and the plan with that one used once. */
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

/** How long a timeout keeps its answer back: longer than the SDK's own limit of 80 seconds, in milliseconds. */
export const endlessLatency = 100_000;

/** What is answered where the fault strikes. */
export function playedError({ fault }: ApiFault): ApiError {
	switch (fault) {
		case "500":
		case "timeout":
			return playedServerError();
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

export function playedServerError(): ApiError {
	return new ApiError(500, { type: "api_error", message: "An unknown error occurred." });
}
