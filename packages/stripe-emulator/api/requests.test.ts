import { expect, test } from "vitest";
import { newApiRequest, routes } from "./requests.ts";

test("a browser can call only these endpoints", () => {
	expect(routes.flatMap(({ name, browsers }) => (browsers ? name : []))).toEqual([
		"payment_intents.retrieve",
		"payment_intents.confirm",
		"three_d_secure.retrieve",
		"three_d_secure.answer",
	]);
});

test.each([
	["POST", "charges"],
	["POST", "payment_intents/pi_1/update"],
	["GET", "payment_intents/pi_1/confirm"],
	["DELETE", "payment_intents/pi_1"],
	["HEAD", "payment_intents"],
	["GET", "payment_intents/"],
	["GET", "/payment_intents"],
	["GET", "payment_intents/..%2f..%2fstate"],
])("%s /v1/%s is not an endpoint", (method, path) => {
	expect(newApiRequest(new Request(`http://localhost/v1/${path}`, { method })).found).toBeUndefined();
});
