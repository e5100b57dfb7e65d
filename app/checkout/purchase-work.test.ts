import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { currency } from "#app/brand.ts";
import type { Confirmation } from "#app/tab/purchase.ts";
import { formatMoney } from "#app/ui/money.ts";
import {
	book,
	canceled,
	checking,
	created,
	declined,
	declinedNotice,
	FakeShop,
	fulfilled,
	minute,
	mixer,
	notBought,
	notPaid,
	openPage,
	openPaying,
	order,
	paid,
	pass,
	refusal,
	resumed,
	secret,
	speaker,
	succeeded,
} from "../../tests/support/payment-page.ts";

type Opened = Awaited<ReturnType<typeof openPage>>;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("preparing", () => {
	test("an intent is requested once per total, and the next request sends the previous client secret", async () => {
		const { shop, purchase, fill } = await openPage();
		await fill(speaker);
		expect(shop.sent("create")).toHaveLength(1);
		await fill(book);
		expect(shop.sent("create").map(({ headers, body }) => [headers, body["url"]])).toEqual([
			[{ currency }, "/payments/create?total=9899"],
			[{ currency, "previous-client-secret": secret }, "/payments/create?total=500"],
		]);
		expect(purchase()).toMatchObject({ intent: { clientSecret: "pi_2_secret_2", total: 500, items: [] } });
	});

	test.each([
		["other items at the same total", (page: Opened) => page.fill({ ...speaker, id: "4" })],
		["another buyer", async ({ tab }: Opened) => tab.dispatch({ type: "buyer_changed", buyer: "guest-2" })],
	])("after a decline, the intent is canceled and another is prepared for %s", async (_, change) => {
		const page = await openPaying();
		await page.confirm(declined);
		await change(page);
		await pass(0);
		const cancel = { "previous-client-secret": secret, "cancel-previous": "true" };
		expect(page.shop.sent("create").at(-1)).toMatchObject({ headers: cancel });
		expect(page.purchase()).toMatchObject({ intent: { clientSecret: "pi_2_secret_2" }, request: null });
		await page.buy();
		expect(page.shop.sent("place").at(-1)).toMatchObject({ body: { clientSecret: "pi_2_secret_2" } });
	});

	test("after a decline, the same basket is bought with the same intent", async () => {
		const { shop, confirm, buy, fill } = await openPaying();
		await confirm(declined);
		await fill(speaker);
		await buy();
		expect(shop.sent("create")).toHaveLength(1);
		expect(shop.sent("place")).toHaveLength(2);
	});

	test("a newer request aborts the older request and ignores its late response", async () => {
		const { shop, purchase, fill } = await openPage();
		const late = Promise.withResolvers<Response>();
		shop.replies["create"] = [() => late.promise, () => created("pi_3_secret_3")];
		await fill(book);
		await fill(mixer);
		late.resolve(created("pi_2_secret_2"));
		await pass(0);
		const intent = { clientSecret: "pi_3_secret_3", total: mixer.priceCents };
		expect(purchase()).toMatchObject({ request: null, intent });
	});

	test.each([
		["no response in ten seconds", () => "lost" as const, "We couldn't reach the shop. You have not been charged."],
		["an error response", () => refusal(503, "unavailable"), "Because of unavailable. You have not been charged."],
	])("after %s, the page shows the reason and can try again", async (_, reply, text) => {
		const shop = new FakeShop();
		shop.replies["create"]?.unshift(reply);
		const { tab, purchase, buy } = await openPage({ shop });
		await pass(10_000);
		expect(purchase()).toMatchObject({ phase: "idle", message: { text, button: "try_again" } });
		await buy();
		expect(purchase().phase).toBe("idle");
		expect(shop.sent("create")).toHaveLength(1);
		tab.dispatch({ type: "try_again" });
		await pass(0);
		await buy();
		expect(purchase().phase).toBe("confirming");
	});

	test("a previous intent whose payment is in progress is polled and reported as paid with its own items", async () => {
		const { shop, outcomes, confirm, fill } = await openPaying();
		await confirm(declined);
		shop.replies["create"] = [() => refusal(409, "payment_in_progress")];
		await fill(speaker, book);
		expect(outcomes.at(-1)).toEqual(paid);
	});
});

test("a purchase places the order, confirms the card and is reported as paid once fulfill returns paid", async () => {
	const { shop, outcomes, confirmCardPayment, buy, confirm, phase } = await openPage();
	const signature = `signed ${secret}`;
	await buy();
	const headers = { "Content-Type": "application/json" };
	expect(shop.sent("place")).toMatchObject([
		{ headers, body: { clientSecret: secret, signature, productIds: ["1"], currency, customer: "u1" } },
	]);
	expect(confirmCardPayment.mock.calls).toEqual([[secret]]);
	expect(phase()).toBe("confirming");
	await confirm(succeeded);
	expect(shop.sent("fulfill").map(({ body }) => body)).toEqual([{ clientSecret: secret, signature }]);
	expect(outcomes).toEqual([paid]);
	expect(phase()).toBe("idle");
	await pass(minute);
	expect(shop.requests.map(({ method }) => method)).toEqual(["POST", "POST", "POST"]);
});

test("a guest's order has no customer", async () => {
	const { shop, tab, buy } = await openPage();
	tab.dispatch({ type: "SET_USER", user: null });
	await buy();
	expect(shop.sent("place")).toMatchObject([{ body: { customer: null } }]);
});

describe("an order that cannot be placed", () => {
	test("a place request without a response never confirms the card, and the next attempt places the order again", async () => {
		const { shop, purchase, outcomes, confirmCardPayment, buy } = await openPaying({
			place: [() => "lost", () => Response.json({ status: "placed" })],
		});
		await pass(10_000);
		expect(outcomes).toEqual([notBought("We couldn't reach the shop. You have not been charged.")]);
		expect(confirmCardPayment).not.toHaveBeenCalled();
		await buy();
		expect(purchase().phase).toBe("confirming");
		expect(shop.sent("place").map(({ body }) => body["clientSecret"])).toEqual([secret, secret]);
		expect(shop.sent("create")).toHaveLength(1);
	});

	test("when place returns price_changed, the message lists the changed products, and the basket has the new prices", async () => {
		const shop = new FakeShop();
		shop.replies["place"] = [() => refusal(409, "price_changed", { prices: { "1": 9999, "3": 500 } })];
		const { tab, purchase, outcomes, buy } = await openPage({ shop, items: [speaker, mixer, book, speaker, mixer] });
		await buy();
		const text = `${speaker.title} now costs ${formatMoney(9999)}. ${mixer.title} is sold out. You have not been charged.`;
		const cheaper = { ...speaker, priceCents: 9999 };
		expect(outcomes).toEqual([notBought(text)]);
		expect(tab.getState().basket).toEqual([cheaper, book, cheaper]);
		expect(purchase()).toMatchObject({ phase: "idle", message: { text } });
		expect(shop.sent("create").at(-1)?.body).toEqual({ url: "/payments/create?total=20498" });
	});

	test.each([
		["price_changed", secret],
		["identity_changed", secret],
		["payment_intent_gone", "pi_2_secret_2"],
		["unknown_payment_intent", "pi_2_secret_2"],
	])("when place returns %s, the outcome has its message, and the next attempt pays %s", async (code, clientSecret) => {
		const { tab, purchase, outcomes } = await openPaying({ place: [() => refusal(409, code)] });
		const identityChanged = code === "identity_changed";
		expect(outcomes).toEqual([{ ...notBought(`Because of ${code}. You have not been charged.`), identityChanged }]);
		expect(purchase()).toMatchObject({ intent: { clientSecret } });
		expect(tab.getState().basket).toEqual([speaker]);
	});

	test("when the shop has another currency, only another document can help", async () => {
		const shop = new FakeShop();
		const message = { text: "Because of currency_changed. You have not been charged.", button: "load_page" };
		shop.replies["create"] = [() => created(secret), () => refusal(409, "currency_changed")];
		shop.replies["place"] = [() => refusal(409, "currency_changed")];
		const { purchase, buy, fill } = await openPage({ shop });
		await buy();
		expect(purchase()).toMatchObject({ message, request: null, intent: { clientSecret: secret } });
		await fill(book);
		expect(purchase()).toMatchObject({ message, request: { hasFailed: true }, intent: { clientSecret: secret } });
	});

	test.each([
		["already_paid", undefined],
		["another_order", true],
	])("when place returns %s, the payment is polled instead of confirmed, and canceled: %s", async (code, cancel) => {
		const { shop, outcomes, confirmCardPayment } = await openPaying({ place: [() => refusal(409, code)] });
		expect(confirmCardPayment).not.toHaveBeenCalled();
		expect(shop.sent("fulfill").map(({ body }) => body["cancel"])).toEqual([cancel]);
		expect(outcomes).toEqual([paid]);
	});
});

test.each<[string, Confirmation, string]>([
	["card_declined", declined, declinedNotice],
	[
		"validation_error",
		{ error: { type: "validation_error", message: "No CVC." } },
		"No CVC. You have not been charged.",
	],
	[
		"a message about charges",
		{ error: { type: "card_error", message: "This card can't be charged." } },
		"This card can't be charged. You have not been charged.",
	],
	[
		"email_invalid",
		{ error: { type: "invalid_request_error", code: "email_invalid", message: "Invalid email address: ada@example" } },
		"Invalid email address: ada@example. You have not been charged.",
	],
	[
		"failed authentication",
		{
			error: {
				...{ type: "invalid_request_error", code: "payment_intent_authentication_failure" },
				...{ message: "We are unable to authenticate you.", payment_intent: { status: "requires_payment_method" } },
			},
		},
		"We are unable to authenticate you. Nothing was charged; confirm the payment with your bank, or use another card.",
	],
	[
		"failed authentication without a message",
		{ error: { type: "invalid_request_error", payment_intent: { status: "requires_payment_method" } } },
		canceled.text,
	],
])(
	"a decline (%s) is reported as not charged, and the same intent can be paid with another card",
	async (_, result, text) => {
		const { shop, purchase, outcomes, saved, buy, confirm } = await openPaying();
		await confirm(result);
		expect(outcomes).toEqual([notBought(text)]);
		expect(purchase()).toMatchObject({ phase: "idle", message: { text }, intent: { clientSecret: secret } });
		expect(shop.sent("fulfill")).toHaveLength(0);
		expect(saved.payment).toBeUndefined();
		await buy();
		await confirm(succeeded);
		expect(shop.sent("place").at(-1)?.body["clientSecret"]).toBe(secret);
		expect(outcomes.at(-1)).toEqual(paid);
	},
);

test.each<[string, Confirmation]>([
	["was canceled", { error: { type: "invalid_request_error", payment_intent: { status: "canceled" } } }],
	["is not Stripe's", { error: { type: "invalid_request_error", code: "resource_missing" } }],
])(
	"an intent that %s is reported as not charged at the confirmation, and another one is prepared",
	async (_, result) => {
		const { shop, outcomes, saved, buy, confirm } = await openPaying();
		await confirm(result);
		expect(outcomes).toEqual([notBought("This payment has expired. Please try again. You have not been charged.")]);
		expect(shop.sent("fulfill")).toHaveLength(0);
		expect(saved.payment).toBeUndefined();
		expect(shop.sent("create").at(-1)?.headers).toEqual({ currency });
		await buy();
		expect(shop.sent("place").at(-1)).toMatchObject({ body: { clientSecret: "pi_2_secret_2" } });
	},
);

test.each(["succeeded", "processing"])(
	"an intent that was already %s at the confirmation is polled",
	async (status) => {
		const { shop, outcomes, confirm, phase } = await openPaying({ fulfill: [checking, fulfilled] });
		await confirm({ error: { type: "invalid_request_error", payment_intent: { status } } });
		expect([phase(), shop.sent("fulfill").length]).toEqual(["checking", 1]);
		await pass(1000);
		expect(outcomes).toEqual([paid]);
	},
);

test.each<[string, Confirmation | Error]>([
	["a Stripe error", { error: { type: "api_error", payment_intent: { status: "requires_payment_method" } } }],
	["a lock timeout of type card_error", { error: { type: "card_error", code: "lock_timeout" } }],
	["a rate limit of type card_error", { error: { type: "card_error", code: "rate_limit" } }],
	["an invalid request", { error: { type: "invalid_request_error" } }],
	["a processing payment", { paymentIntent: { status: "processing" } }],
	["a thrown error", new Error("IntegrationError")],
])(
	"a payment whose confirmation ends with %s is canceled after 15 seconds, and only then reported as not charged",
	async (_, result) => {
		const log = vi.spyOn(console, "error").mockReturnValue();
		const { shop, purchase, outcomes, saved, buy, confirm, phase } = await openPaying({
			fulfill: [() => notPaid("requires_payment_method")],
		});
		await confirm(result);
		log.mockRestore();
		expect(phase()).toBe("checking");
		await pass(14_999);
		expect(shop.cancels).toEqual([]);
		expect(saved.payment).toBeDefined();
		shop.replies["fulfill"] = [() => refusal(409, "canceled")];
		await pass(1);
		expect(shop.cancels).toHaveLength(1);
		expect(outcomes).toEqual([canceled]);
		expect(saved.payment).toBeUndefined();
		expect(purchase()).toMatchObject({ phase: "idle", intent: { clientSecret: "pi_2_secret_2" } });
		await buy();
		expect(phase()).toBe("confirming");
	},
);

test.each(["fulfill", "outcome"])(
	"a payment is paid although an extension blocks /payments/%s, also after a reload during the confirmation",
	async (blocked) => {
		const page = await openPaying();
		page.shop.blocked = blocked;
		const reloaded = await openPage({ shop: page.shop, saved: page.saved });
		await pass(1000);
		expect(reloaded.outcomes).toEqual([resumed, paid]);

		const other = await openPaying();
		other.shop.blocked = blocked;
		await other.confirm(succeeded);
		await pass(1000);
		expect(other.outcomes).toEqual([paid]);
	},
);

describe("polling", () => {
	test("continues at increasing intervals after any failure, and never cancels a payment that Stripe.js reported as succeeded", async () => {
		const html = () => new Response("<html>", { status: 500 });
		const { shop, outcomes, confirm, phase } = await openPaying({
			fulfill: [html, () => new TypeError("Failed"), () => notPaid("requires_payment_method")],
		});
		const start = Date.now();
		await confirm(succeeded);
		await pass(2 * minute);
		const times = [0, 1e3, 3e3, 7e3, 15e3, 30e3, 60e3, 90e3, 120e3];
		expect(shop.sent("fulfill").map(({ at }) => at - start)).toEqual(times);
		expect(shop.cancels).toEqual([]);
		expect(phase()).toBe("checking");
		expect(outcomes).toEqual([]);
	});

	test("times out after ten seconds, an event aborts the poll in flight and polls immediately, and the outcome leaves no timer", async () => {
		const { shop, tab, outcomes, confirm } = await openPaying({ fulfill: [() => "lost"] });
		const start = Date.now();
		await confirm(succeeded);
		tab.dispatch({ type: "online" });
		await pass(25_000);
		expect(shop.sent("fulfill").map(({ at }) => at - start)).toEqual([0, 0, 11_000, 23_000]);
		shop.replies["fulfill"] = [fulfilled];
		await pass(15_000);
		expect([outcomes, vi.getTimerCount()]).toEqual([[paid], 0]);
	});

	test("a refund is reported and prepares a new intent", async () => {
		const { purchase, outcomes, confirm } = await openPaying({
			fulfill: [() => Response.json({ status: "refunded" })],
		});
		await confirm(succeeded);
		expect(outcomes).toEqual([notBought("Your payment was refunded, and nothing will be delivered.")]);
		expect(purchase()).toMatchObject({ intent: { clientSecret: "pi_2_secret_2" } });
	});

	test("a payment that the shop does not know is being checked, also after it should have been canceled (fault 41)", async () => {
		const { shop, outcomes, confirm, phase } = await openPaying({
			fulfill: [() => refusal(404, "unknown_payment_intent")],
		});
		await confirm({});
		await pass(10 * minute);
		expect(phase()).toBe("checking");
		expect(outcomes).toEqual([]);
		shop.replies["fulfill"] = [fulfilled];
		await pass(30_000);
		expect(outcomes).toEqual([paid]);
	});

	test("a slow poll of a declined payment does not delay the poll of the next payment (fault 39)", async () => {
		const slow = Promise.withResolvers<Response>();
		const { outcomes, buy, confirm, fill } = await openPaying({
			fulfill: [() => slow.promise, fulfilled],
		});
		await pass(8000);
		await confirm(declined);
		await fill(mixer);
		await buy();
		await confirm(succeeded);
		slow.resolve(notPaid("requires_payment_method"));
		await pass(minute);
		expect(outcomes.at(-1)).toEqual({
			type: "paid",
			order: { ...order, id: "pi_2", amount: mixer.priceCents, items: [mixer] },
		});
	});
});

describe("a payment whose confirmation takes longer than eight seconds", () => {
	/** Opens a page whose confirmation is pending and whose polls return not_paid. */
	async function openSilentPage() {
		const page = await openPaying({ fulfill: [() => notPaid("requires_payment_method")] });
		await pass(7999);
		expect(page.phase()).toBe("confirming");
		expect(page.shop.sent("fulfill")).toHaveLength(0);
		await pass(1);
		expect(page.phase()).toBe("checking");
		expect(page.shop.sent("fulfill")).toHaveLength(1);
		return page;
	}

	test("is being checked, and a late decline is reported as not charged and stops polling", async () => {
		const { shop, outcomes, confirm, phase } = await openSilentPage();
		await pass(minute);
		expect(outcomes).toEqual([]);
		await confirm(declined);
		expect(outcomes).toEqual([notBought(declinedNotice)]);
		expect(phase()).toBe("idle");
		const polls = shop.sent("fulfill").length;
		await pass(minute);
		expect(shop.sent("fulfill")).toHaveLength(polls);
	});

	test("the poll that cancels is sent on time, even if the next poll would be later", async () => {
		const { shop, tab, confirm } = await openSilentPage();
		await confirm({});
		await pass(5000);
		tab.dispatch({ type: "online" });
		await pass(9999);
		expect(shop.cancels).toEqual([]);
		await pass(1);
		expect(shop.cancels).toHaveLength(1);
	});

	test.each([
		["without a result", "requires_payment_method", 2],
		["whose bank dialog is open", "requires_action", 15],
	])("a payment %s (%s) is canceled after %i minutes, and the next document shows that", async (_, status, minutes) => {
		const { shop, saved, loadDocument, outcomes, confirm } = await openSilentPage();
		shop.replies["fulfill"] = [() => notPaid(status)];
		await pass(minutes * minute - 1);
		expect([shop.cancels, outcomes]).toEqual([[], []]);
		shop.replies["fulfill"] = [() => refusal(409, "canceled")];
		await pass(1);
		expect(shop.cancels).toHaveLength(1);
		await pass(1999);
		expect(loadDocument).not.toHaveBeenCalled();
		await pass(1);
		expect(loadDocument).toHaveBeenCalledOnce();
		// a later result is ignored
		await confirm(declined);
		await pass(29_999);
		expect([outcomes, saved.payment]).toEqual([[], expect.anything()]);
		const next = await openPage({ shop, saved });
		await next.fill(speaker);
		expect(next.outcomes).toEqual([resumed, canceled]);
		expect(next.purchase()).toMatchObject({ phase: "idle", intent: { clientSecret: "pi_2_secret_2" } });
	});

	test("is reported in the same document 30 seconds after the shopper has stopped the next one", async () => {
		const { shop, loadDocument, outcomes, phase } = await openSilentPage();
		shop.replies["fulfill"] = [fulfilled];
		await pass(3000);
		expect(loadDocument).toHaveBeenCalledOnce();
		await pass(29_999);
		expect([phase(), outcomes]).toEqual(["checking", []]);
		await pass(1);
		expect([phase(), outcomes]).toEqual(["idle", [paid]]);
	});

	test("is reported in the same document if the confirmation ends within two seconds after a poll has found the outcome", async () => {
		const { shop, loadDocument, outcomes, confirm } = await openSilentPage();
		shop.replies["fulfill"] = [fulfilled];
		await pass(2000);
		await confirm(succeeded);
		await pass(minute);
		expect(outcomes).toEqual([paid]);
		expect(loadDocument).not.toHaveBeenCalled();
	});

	test("is reported as paid in a document that cannot hand over, although the bank's dialog may cover it", async () => {
		const { buy, outcomes } = await openPage({ loadDocument: null });
		await buy();
		await pass(8000);
		expect(outcomes).toEqual([paid]);
	});

	test.each([60, -60])("is canceled after 15 minutes, also if the device's clock jumps by %i minutes", async (jump) => {
		const { shop } = await openSilentPage();
		shop.replies["fulfill"] = [() => notPaid("requires_action")];
		await pass(minute);
		vi.setSystemTime(Date.now() + jump * minute);
		await pass(14 * minute - 1);
		expect(shop.cancels).toEqual([]);
		await pass(1);
		expect(shop.cancels).toHaveLength(1);
	});

	test("failed polls never cancel a payment whose bank dialog may be open", async () => {
		const { shop, outcomes } = await openSilentPage();
		shop.replies["fulfill"] = [() => "lost"];
		await pass(5 * minute);
		expect(shop.cancels).toEqual([]);
		shop.replies["fulfill"] = [() => notPaid("requires_action"), () => "lost"];
		await pass(5 * minute);
		expect(shop.cancels).toEqual([]);
		expect(outcomes).toEqual([]);
	});
});

test("a poll that was sent before a decline and returns canceled after it triggers a request for a new intent", async () => {
	const slow = Promise.withResolvers<Response>();
	const { purchase, outcomes, confirm } = await openPaying({ fulfill: [() => slow.promise] });
	await pass(8000);
	await confirm(declined);
	slow.resolve(refusal(409, "canceled"));
	await pass(0);
	expect(outcomes).toEqual([notBought(declinedNotice)]);
	expect(purchase()).toMatchObject({ message: { text: declinedNotice }, intent: { clientSecret: "pi_2_secret_2" } });
});

test("a poll that was sent before a decline and returns while the next attempt is placed is not lost", async () => {
	const slow = Promise.withResolvers<Response>();
	const { shop, outcomes, buy, confirm } = await openPaying({ fulfill: [() => slow.promise] });
	await pass(8000);
	await confirm(declined);
	shop.replies["place"] = [() => "lost"];
	await buy();
	slow.resolve(fulfilled());
	await pass(0);
	expect(outcomes).toEqual([notBought(declinedNotice), paid]);
});
