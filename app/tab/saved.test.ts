import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeStorage } from "../../tests/support/payment-page.ts";
import { restoreTab, saveTab } from "./saved.ts";
import { emptyTab, type TabState } from "./tab-state.ts";

const now = 1_764_000_000;
const item = { id: "1", title: "Book", priceCents: 500, rating: 4, image: "/1.webp" };
const receipt = { id: "pi_1", amount: 1000, currency: "eur", created: now, items: [item, item], buyer: "u1" };
const intent = {
	...{ clientSecret: "pi_2_secret_2", signature: "s", total: 500, currency: "usd", items: [item], buyer: "u1" },
	...{ round: 2, charged: 0 },
};
const state: TabState = { ...emptyTab, buyer: "u1", basket: [item, item] };

beforeEach(() => void vi.useFakeTimers({ now: now * 1000 }));
afterEach(() => void vi.useRealTimers());

/** Returns the state of a tab whose previous document saved this state. */
function reload(saved: Partial<TabState>, { handsOver = false, buyer = "u1", seconds = 0 } = {}): TabState {
	const storage = new FakeStorage();
	vi.setSystemTime(now * 1000);
	saveTab(storage, { ...state, ...saved }, handsOver);
	vi.setSystemTime((now + seconds) * 1000);
	return restoreTab(storage, buyer);
}

/** Returns the state of a tab whose storage contains this text. */
const read = (text: string) => restoreTab(new FakeStorage([["tab", text]]), "u1");

test("a reload empties the basket, and a document that the shop loads takes it over", () => {
	expect(reload({}).basket).toEqual([]);
	expect(reload({}, { handsOver: true }).basket).toEqual([item, item]);
	const storage = new FakeStorage();
	saveTab(storage, state);
	expect(storage.entries.size).toBe(0);
});

test("a basket is taken over within an hour, by the same buyer, and by a clock that has not been set back", () => {
	const take = (options: object) => reload({}, { handsOver: true, ...options }).basket.length;
	expect(take({ seconds: 3599 })).toBe(2);
	expect(take({ seconds: 3600 })).toBe(0);
	expect(take({ seconds: -1 })).toBe(0);
	expect(take({ buyer: "u2" })).toBe(0);
	expect(take({ buyer: "guest-" })).toBe(0);
});

test("what the build before this one has saved is taken over", () => {
	const saved = { handedOver: { basket: [item], owner: "u1", time: now }, receipt: { ...receipt, owner: "u1" } };
	const { basket, receipt: restored } = read(JSON.stringify(saved));
	expect([basket, restored]).toEqual([[item], receipt]);
});

test("the receipt survives a reload of its buyer", () => {
	expect(reload({ receipt })).toEqual({ ...emptyTab, buyer: "u1", receipt });
	expect(reload({ receipt }, { buyer: "u2" }).receipt).toBeNull();
});

test("a payment in progress survives a reload, also of another buyer, and locks the basket that is taken over", () => {
	for (const buyer of ["u1", "u2"]) {
		const { purchase, payment, outcome } = reload({ payment: intent }, { buyer });
		const resumed = { ...intent, round: 1 };
		expect(purchase).toMatchObject({ phase: "checking", confirmation: "unknown", intent: resumed });
		expect(payment).toEqual(resumed);
		expect(outcome).toEqual({ type: "resumed" });
	}
	const { purchase, basket } = reload({ payment: intent, receipt }, { handsOver: true });
	expect(purchase.phase).toBe("checking");
	expect(basket).toEqual([item, item]);
});

test("a value that was cut off is ignored", () => {
	const storage = new FakeStorage();
	saveTab(storage, { ...state, receipt, payment: intent }, true);
	const [text = ""] = storage.entries.values();
	for (let length = 0; length < text.length; length++)
		expect(read(text.slice(0, length))).toEqual({ ...emptyTab, buyer: "u1" });
});

const noText = [undefined, null, 1, {}, []];
const noInteger = [undefined, null, "1", {}, -1, 0.5, 1e300];
const damagedItems = Object.entries({
	...{ id: noText, title: noText, image: noText },
	...{ priceCents: noInteger, rating: noInteger },
}).flatMap(([field, others]) => others.map((other) => [item, { ...item, [field]: other }]));
const noItems = [undefined, null, "", {}, [null], ["1"], ...damagedItems];
const damages: [part: string, value: object, field: string, others: unknown[]][] = [
	["receipt", receipt, "id", noText],
	["receipt", receipt, "buyer", noText],
	["receipt", receipt, "amount", noInteger],
	["receipt", receipt, "currency", [...noText, "", "us", "euros"]],
	["receipt", receipt, "created", noInteger],
	["receipt", receipt, "items", noItems],
	[
		"payment",
		intent,
		"clientSecret",
		[...noText, "", "x", "pi_1", "pi_1_secret_", "pi_1_secret_1/2", " pi_1_secret_1"],
	],
	["payment", intent, "clientSecret", [`pi_1_secret_${"1".repeat(200)}`]],
	["payment", intent, "signature", [...noText, "s".repeat(101)]],
	["payment", intent, "total", noInteger],
	["payment", intent, "currency", [...noText, "", "us", "euros"]],
	["payment", intent, "buyer", noText],
	["payment", intent, "charged", noInteger],
	["payment", intent, "items", noItems],
	["handedOver", { basket: [item], buyer: "u1", time: now }, "basket", [...noItems, Array(201).fill(item)]],
	["handedOver", { basket: [item], buyer: "u1", time: now }, "buyer", noText],
	["handedOver", { basket: [item], buyer: "u1", time: now }, "time", noInteger],
];

test.each(damages)(
	"the %s of %j is ignored if its %s is missing, of another type or unusable",
	(part, value, field, others) => {
		expect(read(JSON.stringify({ [part]: value }))).not.toEqual({ ...emptyTab, buyer: "u1" });
		for (const other of others) {
			const damaged = JSON.stringify({ [part]: { ...value, [field]: other } });
			expect(read(damaged), damaged).toEqual({ ...emptyTab, buyer: "u1" });
		}
	},
);
