import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeStorage } from "../../tests/support/payment-page.ts";
import { guest, isBuyer, latestBuyer, recordBuyer, recordGuest } from "./buyer.ts";

beforeEach(() => {
	vi.useFakeTimers({ now: 1_764_000_000_000 });
	vi.stubGlobal("localStorage", new FakeStorage());
});
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

test("the first guest stays the buyer until someone signs in, and another guest begins with the sign-out", () => {
	expect(latestBuyer()).toBe(guest);
	expect(recordBuyer(null)).toBe(guest);
	expect(recordBuyer("ada")).toBe("ada");
	expect(recordBuyer("ada")).toBe("ada");
	const next = recordBuyer(null);
	expect(next).toBe("guest-1764000000000");
	expect([recordBuyer(null), latestBuyer()]).toEqual([next, next]);
});

test("another guest can follow a guest", () => {
	const next = recordGuest();
	expect([next, latestBuyer(), recordBuyer(null)]).toEqual(["guest-1764000000000", next, next]);
});

test("isBuyer compares a customer's id, and accepts any guest for null", () => {
	const buyers = ["ada", "ben", guest, "guest-1"];
	expect(buyers.filter((buyer) => isBuyer(buyer, "ada"))).toEqual(["ada"]);
	expect(buyers.filter((buyer) => isBuyer(buyer, null))).toEqual([guest, "guest-1"]);
});

test("without storage, the buyer is the customer or the first guest", () => {
	vi.stubGlobal("localStorage", undefined);
	expect(latestBuyer()).toBeUndefined();
	expect([recordBuyer("ada"), recordBuyer(null)]).toEqual(["ada", guest]);
});
