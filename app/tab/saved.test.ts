import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeStorage } from "../../tests/support/payment-page.ts";
import { idle } from "./purchase.ts";
import { markHandedOver, restoreTab, takeHandedOver, textOf } from "./saved.ts";
import { emptyTab, type TabState } from "./tab-state.ts";

const now = 1_764_000_000;
const item = { id: "1", title: "Book", priceCents: 500, rating: 4, image: "/1.webp" };
const receipt = { id: "pi_1", amount: 1000, currency: "eur", created: now, items: [item, item], buyer: "u1" };
const intent = {
	...{ clientSecret: "pi_2_secret_2", signature: "s", total: 500, currency: "usd", items: [item], buyer: "u1" },
	...{ round: 2 },
};
const state: TabState = { ...emptyTab, basket: [item, item] };

beforeEach(() => void vi.useFakeTimers({ now: now * 1000 }));
afterEach(() => void vi.useRealTimers());

/** Returns the state of a document of the tab, restored from what another one has saved. */
const restore = (saved: Partial<TabState>, withBasket = true) =>
	restoreTab(textOf({ ...state, ...saved }), { withBasket });
/** Returns the state of a tab whose storage contains this text. */
const read = (text: string | null) => restoreTab(text, { withBasket: true });

test("a saved state is restored, without its basket if it was not handed over", () => {
	expect(restore({})).toEqual(state);
	expect(restore({ receipt, purchase: { ...idle, intent } })).toEqual({
		...{ ...state, receipt },
		purchase: { ...idle, intent: { ...intent, round: 0 } },
	});
	expect(restore({ receipt }, false)).toEqual({ ...emptyTab, receipt });
});

test("a payment in progress is resumed, and locks the basket", () => {
	const resumed = { ...intent, round: 1 };
	expect(restore({ payment: intent, receipt })).toMatchObject({
		...{ basket: [item, item], receipt, payment: resumed, outcome: { type: "resumed" } },
		purchase: { phase: "checking", confirmation: "unknown", intent: resumed },
	});
});

test("what is restored is saved as the same text", () => {
	for (const saved of [
		{},
		{ receipt },
		{ payment: intent },
		{ purchase: { ...idle, intent } },
		{ receipt, payment: intent },
	])
		expect(textOf(restore(saved))).toBe(textOf({ ...state, ...saved }));
});

test("a basket is handed over once, within an hour, and by a clock that has not been set back", () => {
	const storage = new FakeStorage();
	expect(takeHandedOver(storage)).toBe(false);
	for (const [seconds, isTaken] of [
		[0, true],
		[3599, true],
		[3600, false],
		[-1, false],
	] as const) {
		vi.setSystemTime(now * 1000);
		markHandedOver(storage);
		vi.setSystemTime((now + seconds) * 1000);
		expect(takeHandedOver(storage), `${seconds}`).toBe(isTaken);
		expect(takeHandedOver(storage)).toBe(false);
	}
});

test("a value that was cut off is ignored", () => {
	const text = textOf({ ...state, receipt, payment: intent });
	for (let length = 0; length < text.length; length++) expect(read(text.slice(0, length))).toEqual(emptyTab);
	expect(read(null)).toEqual(emptyTab);
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
	["payment", intent, "items", noItems],
	["basket", [item], "", [...noItems, Array(201).fill(item)]],
];

test.each(damages)(
	"the %s of %j is ignored if its %s is missing, of another type or unusable",
	(part, value, field, others) => {
		expect(read(JSON.stringify({ [part]: value }))).not.toEqual(emptyTab);
		for (const other of others) {
			const damaged = JSON.stringify({ [part]: field ? { ...value, [field]: other } : other });
			expect(read(damaged), damaged).toEqual(emptyTab);
		}
	},
);

test("an intent of a prepared purchase is checked as that of a payment is", () => {
	expect(read(JSON.stringify({ intent: { ...intent, clientSecret: "x" } }))).toEqual(emptyTab);
});
