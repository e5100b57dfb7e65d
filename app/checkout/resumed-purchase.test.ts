import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { currency } from "#app/brand.ts";
import {
	buyer,
	checking,
	created,
	declined,
	FakeShop,
	FakeStorage,
	fulfilled,
	minute,
	notPaid,
	openPage,
	openPaying,
	paid,
	pass,
	resumed,
	secret,
	speaker,
	succeeded,
	total,
} from "../../tests/support/payment-page.ts";
import { lock } from "./lock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

describe("a reload", () => {
	const payment = {
		clientSecret: secret,
		signature: `signed ${secret}`,
		total,
		currency,
		items: [speaker],
		buyer,
	};

	test("resumes checking a started confirmation and reports the outcome", async () => {
		const { saved, shop, buy } = await openPage();
		expect(saved.payment).toBeUndefined();
		await buy();
		expect(saved.payment).toEqual(payment);

		shop.replies["fulfill"] = [checking, fulfilled];
		const { outcomes, phase, purchase } = await openPage({ saved, shop });
		expect(outcomes).toEqual([resumed]);
		expect(phase()).toBe("checking");
		expect(purchase()).toMatchObject({ intent: { clientSecret: secret } });
		await pass(1000);
		expect(outcomes).toEqual([resumed, paid]);
		expect(saved.payment).toBeUndefined();
	});

	test.each([
		["that Stripe.js has confirmed, before the first poll has returned", succeeded],
		["whose confirmation has ended without a result", {}],
	])("resumes a payment %s", async (_, result) => {
		const { saved, shop, confirm } = await openPaying({ fulfill: [() => "lost"] });
		await confirm(result);
		expect((await openPage({ saved, shop })).outcomes).toEqual([resumed]);
	});

	test("keeps the stored purchase until the page has shown the outcome", async () => {
		const saved = new FakeStorage([["tab", JSON.stringify({ payment })]]);
		const { outcomes, phase, showOutcomes } = await openPage({ saved, items: [], isLoading: true });
		expect(phase()).toBe("idle");
		expect(saved.payment).toBeDefined();
		showOutcomes();
		expect(outcomes).toEqual([paid]);
		expect(saved.payment).toBeUndefined();
	});

	test("purchases succeed if storage is unavailable", async () => {
		const saved = new FakeStorage();
		const unavailable = () => {
			throw new DOMException("Denied", "SecurityError");
		};
		Object.assign(saved, { getItem: unavailable, setItem: unavailable, removeItem: unavailable });
		const { outcomes, buy, confirm } = await openPage({ saved });
		await buy();
		await confirm(succeeded);
		expect(outcomes).toEqual([paid]);
	});
});

describe("a document that takes over what another one has left", () => {
	const intent = { signature: "s", currency, buyer, items: [speaker] };
	const leave = (saved: FakeStorage, left: object) =>
		saved.setItem("tab", JSON.stringify({ basket: [speaker], ...left }));

	test("requests an intent in place of the other document's", async () => {
		const shop = new FakeShop();
		shop.replies["create"] = [() => "lost", () => created("pi_3_secret_3")];
		const { tab, saved, purchase } = await openPage({ shop });
		leave(saved, { intent: { ...intent, clientSecret: "pi_2_secret_2", total: 500, items: [] } });
		tab.dispatch({ type: "online" });
		await pass(0);
		expect(shop.sent("create")).toMatchObject([{}, { headers: { "previous-client-secret": "pi_2_secret_2" } }]);
		expect(purchase()).toMatchObject({ intent: { clientSecret: "pi_3_secret_3" } });
	});

	test("waits for the lock of the other document's payment", async () => {
		const { page, copy } = await openCopy();
		expect(copy.purchase()).toMatchObject({ confirmation: "unknown" });
		leave(copy.saved, { payment: { ...intent, clientSecret: "pi_2_secret_2", total } });
		copy.tab.dispatch({ type: "online" });
		await pass(0);
		expect(copy.purchase()).toMatchObject({ confirmation: "ended", intent: { clientSecret: "pi_2_secret_2" } });
		page.close();
	});
});

/** Opens a page whose confirmation has been open for eight seconds, and a copy of its tab. */
async function openCopy() {
	const page = await openPaying({ fulfill: [() => notPaid("requires_action")] });
	await pass(8000);
	const saved = new FakeStorage(page.saved.entries);
	const shop = new FakeShop();
	shop.replies["fulfill"] = [() => notPaid("requires_action")];
	return { page, copy: await openPage({ shop, saved, locks: page.locks }) };
}

describe("a duplicated tab (fault 40)", () => {
	test("checks the payment and never cancels it", async () => {
		const { copy } = await openCopy();
		await pass(60 * minute);
		expect(copy.shop.sent("fulfill").length).toBeGreaterThan(100);
		expect(copy.shop.cancels).toEqual([]);
		expect(copy.outcomes).toEqual([resumed]);
		copy.shop.replies["fulfill"] = [fulfilled];
		await pass(30_000);
		expect(copy.outcomes).toEqual([resumed, paid]);
	});

	test("cancels the payment 15 seconds after the other tab was closed, while a third tab makes another payment", async () => {
		const { page, copy } = await openCopy();
		const shop = new FakeShop();
		shop.replies["create"] = [() => created("pi_3_secret_3")];
		await (await openPage({ shop, locks: page.locks })).buy();
		await pass(minute);
		expect(copy.shop.cancels).toEqual([]);
		page.close();
		const closedAt = Date.now();
		await pass(minute);
		expect(copy.shop.cancels[0]?.at).toBeGreaterThanOrEqual(closedAt + 15_000);
	});

	test("never cancels the payment while the other tab confirms it again after a decline", async () => {
		const { page, copy } = await openCopy();
		await page.confirm(declined);
		await page.buy();
		await pass(minute);
		expect(page.purchase()).toMatchObject({ confirmation: "at_bank", intent: { clientSecret: secret } });
		expect(copy.shop.cancels).toEqual([]);
	});

	test("does not keep the lock, acquired while the page was in the back/forward cache, from the page's next attempt", async () => {
		const { page, copy } = await openCopy();
		const another = await openPage({ saved: new FakeStorage(copy.saved.entries), locks: page.locks, shop: copy.shop });
		await page.confirm(declined);
		// the page is in the back/forward cache
		page.close();
		expect(copy.purchase()).toMatchObject({ confirmation: "unknown" });
		await pass(0);
		expect(copy.purchase()).toMatchObject({ confirmation: "ended" });
		await page.buy();
		copy.close();
		await pass(minute);
		expect(another.purchase()).toMatchObject({ confirmation: "unknown" });
	});

	test("never cancels the payment if the browser denies access to locks, which the other tab confirms", async () => {
		vi.stubGlobal("navigator", {
			locks: { request: () => Promise.reject(new DOMException("Denied", "SecurityError")) },
		});
		const shop = new FakeShop();
		const { saved, buy, confirmCardPayment } = await openPage({ lock });
		await buy();
		expect(confirmCardPayment).toHaveBeenCalledOnce();
		shop.replies["fulfill"] = [() => notPaid("requires_action")];
		await openPage({ saved: new FakeStorage(saved.entries), shop, lock });
		await pass(60 * minute);
		expect(shop.sent("fulfill").length).toBeGreaterThan(100);
		expect(shop.cancels).toEqual([]);
	});
});

test("a purchase whose outcome is not shown yet stays stored, and a new attempt replaces it", async () => {
	const { saved, tab, buy, confirm } = await openPage({ isLoading: true });
	await buy();
	await confirm(declined);
	expect(saved.payment).toBeDefined();
	await buy();
	expect(tab.getState().outcome).toBeNull();
	expect(saved.payment).toMatchObject({ items: [speaker] });
});
