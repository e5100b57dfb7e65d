import { expect, test } from "vitest";
import { latencyOf, withLatency } from "./latency.ts";

test("an endpoint's own latency overrides the latency of every endpoint until it is set to 0", () => {
	const create = "payment_intents.create" as const;
	const any = { milliseconds: 5, when: "before" } as const;
	const own = withLatency([any], { endpoint: create, milliseconds: 1, when: "after" });
	expect([latencyOf(own, create, "before"), latencyOf(own, create, "after")]).toEqual([0, 1]);
	expect([latencyOf(own, "refunds.create", "before"), latencyOf(own, null, "after")]).toEqual([5, 0]);
	expect(withLatency(own, { endpoint: create, milliseconds: 0, when: "before" })).toEqual([any]);
	expect(withLatency([any], { ...any, milliseconds: 0 })).toEqual([]);
});
