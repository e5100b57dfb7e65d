import { expect, test, vi } from "vitest";
import { memorySql } from "../memory-sql.ts";
import { newPaymentIntent } from "../objects/new-payment-intent.ts";
import { Store } from "../store.ts";
import { list } from "./list.ts";
import { Parameters } from "./parameters.ts";

test.each([
	["currency=eur", 99, 10],
	["created[lt]=50", 49, 10],
	["created[lte]=50", 50, 10],
	["created[gt]=497", 499, 2],
	["created[gte]=497", 499, 3],
	["created[gt]=10&created[lte]=12", 12, 2],
	["created=7", 7, 1],
])("a list of 500 objects filtered by %s parses at most one more than its limit", (sent, newest, count) => {
	const store = new Store(memorySql());
	for (let created = 0; created < 500; created++) {
		const currency = created < 100 ? "eur" : "usd";
		const intent = newPaymentIntent({ amount: 500, currency, allowedTypes: undefined, automatic: null }, created);
		store.save("payment_intent", intent.id, intent);
	}
	const parse = vi.spyOn(JSON, "parse");
	const params = Parameters.parse(`${sent}&limit=10`);
	const { data, has_more } = list({ params, store }, "payment_intent", { equal: ["currency"] })();
	expect([data[0]?.created, data.length, has_more]).toEqual([newest, count, count === 10]);
	expect(parse.mock.calls.length).toBeLessThanOrEqual(11);
	parse.mockRestore();
});
