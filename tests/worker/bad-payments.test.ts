import { afterAll, beforeAll, expect, test } from "vitest";
import { book, speaker } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { dumpTables, read, readProblem } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());

/** Creates a PaymentIntent as the payment page does. Returns its client secret. */
async function payable(visitor: Customer, cents = book.priceCents): Promise<string> {
	const response = await visitor.fetch(`/payments/create?total=${cents}`, { method: "POST" });
	return Object(JSON.parse(await read(response))).clientSecret;
}

const idOf = (clientSecret: string) => clientSecret.replace(/_secret_.*/, "");

/** Sends the request and asserts that nothing is written or charged. Returns the status and the problem code. */
async function refused(send: () => Promise<Response>, clientSecret?: string): Promise<[number, string]> {
	const before = await dumpTables(shop);
	const response = await send();
	const code = await readProblem(response);
	expect(await dumpTables(shop)).toEqual(before);
	if (clientSecret) {
		const intent = await shop.stripe.paymentIntents.retrieve(idOf(clientSecret));
		expect(intent).toMatchObject({ status: "requires_payment_method", amount_received: 0 });
	}
	return [response.status, code];
}

test.each([
	["no total", ""],
	["an empty total", "?total="],
	["the total abc", "?total=abc"],
	["the total NaN", "?total=NaN"],
	["the total 0", "?total=0"],
	["the total -1", "?total=-1"],
	["the total 49", "?total=49"],
	["the total 10.5", "?total=10.5"],
	["the total 1e3", "?total=1e3"],
	["the total 0x10", "?total=0x10"],
	["a plus sign", "?total=%2B500"],
	["a leading space", "?total=%20500"],
	["Arabic digits", "?total=%D9%A5%D9%A0%D9%A0"],
	["invalid UTF-8", "?total=%FF"],
	["a total of 400 digits", `?total=${"9".repeat(400)}`],
	["the total 100000000", "?total=100000000"],
	["two totals", `?total=${book.priceCents}&total=50`],
	["less than the cheapest product's price", "?total=1195"],
	["the same total twice", `?total=${book.priceCents}&total=${book.priceCents}`],
	["a list of totals", "?total[]=1196"],
	["a leading zero", "?total=01196"],
	["a trailing space", `?total=${book.priceCents}%20`],
	["a trailing line break", `?total=${book.priceCents}%0A`],
	["full-width digits", "?total=%EF%BC%95%EF%BC%90%EF%BC%90"],
	["a comma", "?total=1,196"],
])("POST /payments/create with %s returns 400 total_invalid and does not call Stripe", async (_, query) => {
	const lastCall = async () => (await shop.emulator()).journal[0];
	const before = await lastCall();
	const send = () => new Customer(shop).fetch(`/payments/create${query}`, { method: "POST" });
	expect(await refused(send)).toEqual([400, "total_invalid"]);
	expect(await lastCall()).toEqual(before);
});

test.each([
	["an unknown id", ["nope"], "unknown_product"],
	["one unknown id among known ones", [book.id, "12321342"], "unknown_product"],
	["the id __proto__", ["__proto__"], "unknown_product"],
	["the id constructor", ["constructor"], "unknown_product"],
	["an id with a trailing space", [`${book.id} `], "unknown_product"],
	["SQL as an id", ["' OR 1=1--"], "unknown_product"],
	["201 ids", Array.from({ length: 201 }, () => book.id), "invalid_request"],
	["no ids", [], "invalid_request"],
	["a string instead of a list", book.id, "invalid_request"],
	["null", null, "invalid_request"],
	["numbers", [Number(book.id)], "invalid_request"],
	["an id of 41 characters", ["1".repeat(41)], "invalid_request"],
	["an array-like object", { length: 1, 0: book.id }, "invalid_request"],
])("POST /payments/place with %s returns 400", async (_, productIds, code) => {
	const visitor = new Customer(shop);
	const clientSecret = await payable(visitor);
	const send = () => visitor.postJson("/payments/place", { clientSecret, productIds, customer: null });
	expect(await refused(send, clientSecret)).toEqual([400, code]);
});

test.each([
	["less than the basket's total", 9898],
	["more than the basket's total", 9900],
	["another basket's total", book.priceCents],
])("POST /payments/place with an intent for %s returns 409 price_changed", async (_, cents) => {
	const visitor = new Customer(shop);
	const clientSecret = await payable(visitor, cents);
	const send = () => visitor.postJson("/payments/place", { clientSecret, productIds: [speaker.id], customer: null });
	expect(await refused(send, clientSecret)).toEqual([409, "price_changed"]);
});

test("POST /payments/place ignores prices sent by the browser", async () => {
	const visitor = new Customer(shop);
	const clientSecret = await payable(visitor, book.priceCents);
	const order = {
		clientSecret,
		productIds: [speaker.id],
		customer: null,
		amount: book.priceCents,
		prices: { [speaker.id]: book.priceCents },
	};
	expect(await refused(() => visitor.postJson("/payments/place", order), clientSecret)).toEqual([409, "price_changed"]);
});

test("POST /payments/place with a customer other than the session's returns 409 identity_changed", async () => {
	const [guest, customer] = [new Customer(shop), new Customer(shop)];
	await customer.createAccount();
	for (const [visitor, greeted] of [
		[guest, "somebody"],
		[customer, null],
		[customer, "somebody"],
	] as const) {
		const clientSecret = await payable(visitor);
		const send = () => visitor.postJson("/payments/place", { clientSecret, productIds: [book.id], customer: greeted });
		expect(await refused(send, clientSecret)).toEqual([409, "identity_changed"]);
	}
});

const place = (clientSecret: unknown) => ({ clientSecret, productIds: [book.id], customer: null });
const fulfill = (clientSecret: unknown) => ({ clientSecret });

test.each([
	["/payments/place", place],
	["/payments/fulfill", fulfill],
])("POST %s returns 404 for an unknown client secret and 400 for a malformed one", async (path, body) => {
	const visitor = new Customer(shop);
	const clientSecret = await payable(visitor);
	const send = (secret: unknown) => refused(() => visitor.postJson(path, body(secret)), clientSecret);

	const foreign = await shop.stripe.paymentIntents.create({
		amount: book.priceCents,
		currency: "usd",
		metadata: { shop: "other" },
	});
	const ownerless = await shop.stripe.paymentIntents.create({ amount: book.priceCents, currency: "usd" });
	const another = await payable(visitor);
	const unknown = [
		"pi_000000000000000000000000_secret_0000000000000000000000000",
		clientSecret.slice(0, -1),
		`${clientSecret}x`,
		clientSecret.toUpperCase().replace("PI_", "pi_").replace("_SECRET_", "_secret_"),
		`${idOf(clientSecret)}_secret_${another.split("_secret_")[1]}`,
		foreign.client_secret,
		ownerless.client_secret,
	];
	for (const secret of unknown) expect(await send(secret), String(secret)).toEqual([404, "unknown_payment_intent"]);

	const malformed = [
		idOf(clientSecret),
		"pi_../x_secret_y",
		"pi_x/../../v1/refunds_secret_y",
		`${clientSecret}?expand[]=customer`,
		`${clientSecret}\n`,
		`pi_1_secret_${"a".repeat(300)}`,
		"",
		"' OR 1=1--",
		null,
		undefined,
		1,
		[clientSecret],
	];
	for (const secret of malformed) expect(await send(secret), String(secret)).toEqual([400, "invalid_request"]);
});

test.each([
	["before an order is placed", false],
	["after an order is placed", true],
])("POST /payments/fulfill for an unpaid intent %s returns 409 not_paid", async (_, placesFirst) => {
	const visitor = new Customer(shop);
	const clientSecret = await payable(visitor);
	if (placesFirst) expect((await visitor.postJson("/payments/place", place(clientSecret))).status).toBe(200);
	const send = () => visitor.postJson("/payments/fulfill", fulfill(clientSecret));
	expect(await refused(send, clientSecret)).toEqual([409, "not_paid"]);
});

test.each([
	["requires authentication", "pm_card_authenticationRequired", "not_paid"],
	["was declined", "pm_card_visa_chargeDeclined", "not_paid"],
	["was canceled", null, "canceled"],
])("POST /payments/fulfill for an intent that %s returns 409 and changes nothing", async (_, payment_method, code) => {
	const visitor = new Customer(shop);
	const clientSecret = await payable(visitor);
	expect((await visitor.postJson("/payments/place", place(clientSecret))).status).toBe(200);
	const { paymentIntents } = shop.stripe;
	if (payment_method) await paymentIntents.confirm(idOf(clientSecret), { payment_method }).catch(() => undefined);
	else await paymentIntents.cancel(idOf(clientSecret));
	const send = () => visitor.postJson("/payments/fulfill", fulfill(clientSecret));
	expect(await refused(send)).toEqual([409, code]);
});

test.each([
	["a form", 415, "clientSecret=pi_1_secret_1", "application/x-www-form-urlencoded"],
	["plain text", 415, "{}", "text/plain"],
	["JSON without a Content-Type", 415, "{}", ""],
	["the Content-Type application/jsonp", 415, "{}", "application/jsonp"],
	["no body", 400, null, "application/json"],
	["broken JSON", 400, "{", "application/json"],
	["JSON with invalid UTF-8", 400, new Uint8Array([0x7b, 0xff, 0x7d]), "application/json"],
	["null", 400, "null", "application/json"],
	["a list", 400, "[]", "application/json"],
	["JSON 8,000 levels deep", 400, "[".repeat(8000) + "]".repeat(8000), "application/json"],
	["a __proto__ key", 400, '{"__proto__":{"clientSecret":"pi_1_secret_1"}}', "application/json"],
])("POST /payments/{place,fulfill} with %s returns %i", async (_, status, body, type) => {
	const headers: Record<string, string> = type ? { "Content-Type": type } : {};
	for (const path of ["/payments/place", "/payments/fulfill"]) {
		// fetch adds a Content-Type to a string body, but not to bytes
		const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
		const [answered] = await refused(() => new Customer(shop).fetch(path, { method: "POST", headers, body: bytes }));
		expect(answered).toBe(status);
	}
});
