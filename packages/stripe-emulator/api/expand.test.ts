import { expect, test } from "vitest";
import { takeExpand } from "./expand.ts";
import { Parameters } from "./parameters.ts";

test.each([
	["payment_intents.retrieve", "customer", "latest_charge, payment_method"],
	["payment_intents.list", "latest_charge", "data.latest_charge, data.payment_method"],
	["events.list", "data.data", "no property of this endpoint"],
	["", "latest_charge", "no property of this endpoint"],
])("a request to %j cannot expand %s", (endpoint, property, others) => {
	const message = `This property cannot be expanded (${property}). The Stripe emulator expands ${others}.`;
	expect(() => takeExpand(Parameters.parse(`expand[]=${property}`), endpoint)).toThrow(message);
});
