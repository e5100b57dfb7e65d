import { expect, test, vi } from "vitest";
import { memorySql } from "../memory-sql.ts";
import { newPaymentIntent } from "../objects/new-payment-intent.ts";
import { Store } from "../store.ts";
import { list } from "./list.ts";
import { Parameters } from "./parameters.ts";

/** Returns a store with this many intents; the id of the intent created at 7 is "pi_7". The first hundred are in eur. */
function storeOf(count: number): Store {
	const store = new Store(memorySql());
	for (let created = 0; created < count; created++) {
		const currency = created < 100 ? "eur" : "usd";
		const intent = newPaymentIntent({ amount: 500, currency, allowedTypes: undefined, automatic: null }, created);
		store.save("payment_intent", `pi_${created}`, intent);
	}
	return store;
}

const listIn = (store: Store, query: string) =>
	list({ params: Parameters.parse(query), store }, "payment_intent", { equal: ["currency"] })();

test.each([
	["currency=eur", 99, 10],
	["created[lt]=50", 49, 10],
	["created[lte]=50", 50, 10],
	["created[gt]=497", 499, 2],
	["created[gte]=497", 499, 3],
	["created[gt]=10&created[lte]=12", 12, 2],
	["created=7", 7, 1],
])("a list of 500 objects filtered by %s parses at most one more than its limit", (sent, newest, count) => {
	const store = storeOf(500);
	const parse = vi.spyOn(JSON, "parse");
	const { data, has_more } = listIn(store, `${sent}&limit=10`);
	expect([data[0]?.created, data.length, has_more]).toEqual([newest, count, count === 10]);
	expect(parse.mock.calls.length).toBeLessThanOrEqual(11);
	parse.mockRestore();
});

test.each([
	["", [11, 10, 9, 8, 7, 6, 5, 4, 3, 2], true],
	["limit=1&starting_after=pi_9", [8], true],
	["limit=2&starting_after=pi_2", [1, 0], false],
	["limit=2&ending_before=pi_8", [10, 9], true],
	["limit=3&ending_before=pi_8", [11, 10, 9], false],
	["ending_before=pi_11", [], false],
])("a page of 12 objects for the query %j has the newest first", (query, created, has_more) => {
	const page = listIn(storeOf(12), query);
	expect([page.data.map((intent) => intent.created), page.has_more]).toEqual([created, has_more]);
});

test.each([
	["limit=0", "limit", "must be between 1 and 100"],
	["limit=101", "limit", "must be between 1 and 100"],
	["starting_after=pi_x", "starting_after", "No such payment_intent: 'pi_x'"],
	["ending_before=pi_x", "ending_before", "No such payment_intent: 'pi_x'"],
	["starting_after=pi_1&ending_before=pi_2", undefined, "You may only specify one of these parameters"],
	["created=yesterday", "created", "Invalid integer"],
	["created[before]=5", "created[before]", "unknown parameter"],
	["customer=cus_1", "customer", "unknown parameter"],
])("a list refuses the query %s", (query, param, message) => {
	const body = expect.objectContaining({ message: expect.stringContaining(message), ...(param && { param }) });
	expect(() => listIn(storeOf(0), query)).toThrow(expect.objectContaining({ body }));
});
