import { expect, test } from "vitest";
import { memorySql } from "../memory-sql.ts";
import { type Entry, Journal } from "./journal.ts";

const entry: Omit<Entry, "params"> = {
	...{ request_id: "req_1", created: 0, caller: "server", endpoint: null, method: "POST", path: "/v1/x" },
	...{ idempotency_key: null, status: 200, replayed: false, fault: null },
};

/** Returns the entry of a request with these parameters. */
function logged(form: string | Record<string, string>, more: Partial<Entry> = {}): Entry | undefined {
	const journal = new Journal(memorySql());
	journal.write({ ...entry, ...more }, new URLSearchParams(form).toString());
	return journal.read(1)[0];
}

test("known parameters are logged", () => {
	const params = {
		...{ amount: "1499", payment_method: "pm_card_visa", "allowed_payment_method_types[0]": "card" },
		...{ "metadata[order]": "12345678901", "metadata[basket]": "49538094:2,4903850:1" },
		...{ "expand[0]": "latest_charge", "types[0]": "charge.refunded", "created[gte]": "1" },
	};
	expect(logged(params)?.params).toEqual(params);
});

const hidden = "[not shown]";
test.each<[string, Record<string, string>]>([
	["key=pk_test_1&client_secret=pi_1_secret_2&payment_method=pm_1", { payment_method: "pm_1" }],
	["payment_method_data[type]=card&payment_method_data[card][cvc]=987&card=1", {}],
	["amount=500&verification=987&foo[cvc]=987", { amount: "500", verification: hidden, "foo[cvc]": hidden }],
	["x987[4242]=1", { "x[number][[number]]": hidden }],
	["payment_method[4242-4242-4242-4242]=1", { "payment_method[[number]-[number]-[number]-[number]]": hidden }],
	["payment_method=4242424242424242", { payment_method: "[number]" }],
	["description=Paid with 4242 4242-42424242, thank you", { description: "Paid with [number], thank you" }],
])("%s is logged without card data, keys and secrets", (form, params) => {
	expect(logged(form)?.params).toEqual(params);
});

test("card numbers in the path and in the idempotency key are masked", () => {
	const numbers = { path: "/v1/payment_intents/4242424242424242", idempotency_key: "4242-4242-4242-4242" };
	const masked = { path: "/v1/payment_intents/[number]", idempotency_key: "[number]" };
	expect(logged("", numbers)).toMatchObject(masked);
});

test("the last thousand entries are kept", () => {
	const journal = new Journal(memorySql());
	for (let created = 1; created <= 1001; created++) journal.write({ ...entry, created }, "");
	const kept = journal.read(2000).map(({ created }) => created);
	expect([kept.length, kept.at(0), kept.at(-1)]).toEqual([1000, 1001, 2]);
});
