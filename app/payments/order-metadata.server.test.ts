import { expect, test } from "vitest";
import { fromMetadata, rebuiltItems, toMetadata, toOwnerMetadata } from "./order-metadata.server.ts";

const book = { id: "12321341", title: "Book", priceCents: 1196, rating: 5, image: "book.webp" };
const mixer = { id: "49538094", title: "Mixer", priceCents: 23900, rating: 4, image: "mixer.webp" };
const ofAda = { userId: "ada", guestTokenHash: null };
const ofGuest = { userId: null, guestTokenHash: "hash" };
const unowned = { userId: null, guestTokenHash: null };

test("toMetadata counts the units of each product, in the order of the basket", () => {
	const items = "49538094:3:23900,12321341:1:1196";
	const metadata = { user_id: "ada", guest_token_hash: "", items };
	expect(toMetadata(ofAda, [mixer, book, mixer, mixer])).toEqual(metadata);
});

test.each([ofAda, ofGuest])("fromMetadata reads the order of %o that toMetadata has written", (owner) => {
	const [books, mixers] = [Array.from({ length: 200 }, () => book), [mixer]];
	const items = [books, mixers].map((units) => ({ ...units[0], count: units.length }));
	expect(fromMetadata(toMetadata(owner, [...books, ...mixers]))).toMatchObject({
		...owner,
		items: items.map(({ id, count, priceCents }) => ({ id, count, priceCents })),
	});
});

test("an order without an owner has empty texts in its metadata, which Stripe deletes", () => {
	const empty = { user_id: "", guest_token_hash: "" };
	expect(toOwnerMetadata(unowned)).toEqual(empty);
	for (const owner of [empty, {}]) expect(fromMetadata({ ...owner, items: "1:1:1" })).toMatchObject(unowned);
});

test.each(["a:1:1", "a:999:99999999", "a:1:1,b:1:1,c:1:1", "a:1:1,bc:999:99999999"])(
	"fromMetadata reads the items %s",
	(items) => {
		const read = fromMetadata({ items })?.items.map(({ id, count, priceCents }) => `${id}:${count}:${priceCents}`);
		expect(read?.join()).toBe(items);
	},
);

const malformed = ["", "a", "a:1", "a:1:1:1", ":1:1", "a-b:1:1", "a:1:1 ", "a:1:1\n", "a:1:1;b:1:1", "a:1:1b:1:1"];
const malformedCounts = ["a:0:1", "a:01:1", "a:1000:1", "a:x:1", "a:-1:1", "a:1x:1"];
const malformedPrices = ["a:1:0", "a:1:01", "a:1:100000000", "a:1:x", "a:1:1.5", "a:1:1x"];
test.each([...malformed, ...malformedCounts, ...malformedPrices])(
	"fromMetadata rejects the item %j anywhere",
	(item) => {
		for (const items of [item, `${item},b:1:1`, `b:1:1,${item}`, `b:1:1,${item},c:1:1`]) {
			expect(fromMetadata({ items })).toBeNull();
		}
	},
);

test("fromMetadata returns null without items", () => {
	expect(fromMetadata({ user_id: "ada" })).toBeNull();
});

test("rebuiltItems returns each unit at its original price, with the current title and image", () => {
	const items = [
		{ id: mixer.id, count: 2, priceCents: 20000 },
		{ id: "777", count: 1, priceCents: 50 },
	];
	const withdrawn = { id: "777", title: "Item 777, no longer sold", image: "", rating: 3, priceCents: 50 };
	const discounted = { ...mixer, priceCents: 20000 };
	expect(rebuiltItems({ ...ofAda, items }, [book, mixer])).toEqual([discounted, discounted, withdrawn]);
});
