import { expect, test } from "vitest";
import { takeFault } from "./api-faults.ts";

test("the first fault of an endpoint, or of any endpoint, is taken the given number of times", () => {
	const own = { endpoint: "payment_intents.cancel", fault: "429", when: "before", times: 2 } as const;
	const any = { fault: "500", when: "before", times: 1 } as const;
	expect(takeFault([own, any], "payment_intents.cancel")).toEqual({ fault: own, rest: [{ ...own, times: 1 }, any] });
	expect(takeFault([own, any], null)).toEqual({ fault: any, rest: [own] });
	expect(takeFault([own], "payment_intents.create")).toEqual({ fault: undefined, rest: [own] });
});
