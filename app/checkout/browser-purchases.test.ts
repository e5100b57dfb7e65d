import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { currency } from "#app/brand.ts";
import {
	buyer,
	checking,
	FakeShop,
	FakeStorage,
	pass,
	secret,
	speaker,
	total,
} from "../../tests/support/payment-page.ts";

const page = new EventTarget();
const shop = new FakeShop();
shop.replies["fulfill"] = [checking];

beforeAll(() => {
	vi.useFakeTimers();
	// the tab of a browser
	vi.stubEnv("SSR", false);
	vi.resetModules();
	const payment = { clientSecret: secret, signature: "s", total, currency, items: [speaker], buyer };
	vi.stubGlobal("Storage", FakeStorage);
	vi.stubGlobal("localStorage", new FakeStorage());
	vi.stubGlobal("sessionStorage", new FakeStorage([["tab", JSON.stringify({ payment })]]));
	vi.stubGlobal("fetch", shop.fetch);
	vi.stubGlobal("navigator", {});
	vi.stubGlobal("document", page);
	vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
});
afterAll(() => {
	vi.unstubAllEnvs();
	vi.resetModules();
});

test("a document that follows one with a payment in progress polls the payment, also as soon as it is back online", async () => {
	await import("./purchase-work.ts");
	await pass(0);
	expect(shop.sent("fulfill")).toHaveLength(1);
	page.dispatchEvent(new Event("online"));
	await pass(0);
	expect(shop.sent("fulfill")).toHaveLength(2);
});
