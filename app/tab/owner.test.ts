import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeStorage } from "../../tests/support/payment-page.ts";
import { guest, isOwner, latestOwner, recordOwner } from "./owner.ts";

beforeEach(() => {
	vi.useFakeTimers({ now: 1_764_000_000_000 });
	vi.stubGlobal("localStorage", new FakeStorage());
});
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

test("the first guest stays the owner until someone signs in, and another guest begins with the sign-out", () => {
	expect(latestOwner()).toBe(guest);
	expect(recordOwner(null)).toBe(guest);
	expect(recordOwner("ada")).toBe("ada");
	expect(recordOwner("ada")).toBe("ada");
	const next = recordOwner(null);
	expect(next).toBe("guest-1764000000000");
	expect([recordOwner(null), latestOwner()]).toEqual([next, next]);
});

test("isOwner compares a customer's id, and accepts any guest for null", () => {
	const owners = ["ada", "ben", guest, "guest-1"];
	expect(owners.filter((owner) => isOwner(owner, "ada"))).toEqual(["ada"]);
	expect(owners.filter((owner) => isOwner(owner, null))).toEqual([guest, "guest-1"]);
});

test("without storage, the owner is the customer or the first guest", () => {
	vi.stubGlobal("localStorage", undefined);
	expect(latestOwner()).toBeUndefined();
	expect([recordOwner("ada"), recordOwner(null)]).toEqual(["ada", guest]);
});
