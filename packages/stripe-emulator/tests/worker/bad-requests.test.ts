import { afterAll, expect, test } from "vitest";
import { SECRET_KEY } from "../../keys.ts";
import { create, host, postFromBrowser, refusal, stripe } from "../support/emulator.ts";

const deep = (levels: number) => `metadata${"[a]".repeat(levels)}=1`;
const form = "amount=500&currency=usd";
const types = "allowed_payment_method_types";

/** Creates an intent from this body with the secret key. */
function send(body: BodyInit | null) {
	const headers = { Authorization: `Bearer ${SECRET_KEY}`, "Content-Type": "application/x-www-form-urlencoded" };
	return host.fetch("/stripe-emulator/v1/payment_intents", { method: "POST", headers, body });
}

/** Asserts that a response is Stripe's invalid_request_error with this status. */
async function refused(response: Response, status: number): Promise<void> {
	const text = await response.text();
	expect(response.status, text).toBe(status);
	const error = { type: "invalid_request_error", message: expect.stringMatching(/./) };
	expect(JSON.parse(text)).toMatchObject({ error });
}

afterAll(() => expect(host.logs()).not.toContain("Stripe emulator, req_"));

test.each([
	["an empty body", null],
	["a JSON body", '{"amount":500,"currency":"usd"}'],
	["bytes that are not valid UTF-8", new Uint8Array([0x61, 0x3d, 0xff, 0xfe, 0x26, 0x25])],
	["an unclosed bracket", `${form}&metadata[a=1`],
	["ten thousand nested groups", `${form}&${deep(10_000)}`],
	["a group nested in the metadata", `${form}&metadata[a][b]=1`],
	["a parameter named __proto__", `${form}&__proto__[admin]=1`],
	["a parameter named constructor", `${form}&constructor[prototype][admin]=1`],
	["a list in place of a scalar", "amount[]=500&currency=usd"],
	["a scalar in place of a group", `${form}&automatic_payment_methods=x`],
	["a scalar in place of a list", `${form}&${types}=card`],
	["a list in place of a group", `${form}&automatic_payment_methods[]=x`],
	["a list of lists", `${form}&${types}[][]=card`],
	["a list with an empty item", `${form}&${types}[]=`],
	["another payment method type", `${form}&${types}[]=link`],
	["types and automatic methods", `${form}&${types}[]=card&automatic_payment_methods[enabled]=true`],
	["an amount in Arabic digits", "amount=٥٠٠&currency=usd"],
	["two amounts, the last of them invalid", "amount=500&amount=x&currency=usd"],
	["an empty currency", "amount=500&currency="],
	["constructor as the currency", "amount=500&currency=constructor"],
	["confirm=maybe", `${form}&confirm=maybe`],
	["confirm=1", `${form}&confirm=1`],
	["the secret key as a parameter", `${form}&key=${SECRET_KEY}`],
	["an empty payment method", `${form}&payment_method=`],
])("create with %s returns 400", async (_, body) => {
	await refused(await send(body), 400);
});

test("the last value of a repeated parameter is used, and NUL is accepted", async () => {
	const response = await send("amount=x&amount=500&currency=usd&description=a%00b%F0%9F%92%B3");
	expect(await response.json()).toMatchObject({ amount: 500, description: "a\0b💳" });
});

test("metadata keys can be named after Object.prototype members", async () => {
	const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
	const response = await send(`${form}&${names.map((name) => `metadata[${name}]=x`).join("&")}`);
	const { metadata } = await response.json<{ metadata: object }>();
	expect(Object.entries(metadata)).toEqual(names.map((name) => [name, "x"]));
});

test("an intent's metadata is limited to 50 keys in total across updates", async () => {
	const keys = (from: number, to: number) =>
		Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`key_${from + index}`, "x"]));
	const { id } = await stripe.paymentIntents.create({ amount: 500, currency: "usd", metadata: keys(0, 40) });
	const full = await stripe.paymentIntents.update(id, { metadata: keys(40, 50) });
	const error = await refusal(stripe.paymentIntents.update(id, { metadata: keys(50, 51) }));
	expect(error).toMatchObject({ statusCode: 400, param: "metadata", message: "Metadata can have up to 50 keys." });
	expect(await stripe.paymentIntents.retrieve(id)).toEqual(full);
	const replaced = await stripe.paymentIntents.update(id, { metadata: { key_0: "", key_50: "x" } });
	expect(replaced.metadata).toEqual(keys(1, 51));
});

test.each([
	["65,537 bytes", "x".repeat(65_537)],
	["40,000 two-byte characters", "é".repeat(40_000)],
	["3,000,000 bytes", "x".repeat(3_000_000)],
])("a request with a description of %s returns 413", async (_, description) => {
	await refused(await send(`${form}&description=${description}`), 413);
});

test("a body of 65,536 bytes is accepted", async () => {
	const start = `${form}&description=`;
	const response = await send(start + "x".repeat(65_536 - start.length));
	expect(response.status).toBe(200);
	await response.body?.cancel();
});

const card = "type=card&card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=40";
test.each([
	["type=card", 400],
	["type=card&card=4242", 400],
	["type=card&card[number][]=4242", 400],
	["type=link&card[number]=4242", 400],
	["type=card&card[number]=4242", 400],
	[`${card}&card[token]=tok_1`, 400],
	[`${card}&card[exp_month]=1e1`, 400],
	[`${card}&card[exp_month]=-1`, 402],
	[`${card}&card[exp_year]=-1`, 402],
	[`${card}&card[cvc]=abc`, 402],
	[`${card}&card[cvc]=12٣`, 402],
	[`${card}&card[number]=４２４２４２４２４２４２４２４２`, 402],
	[`${card}&card[number]=${"4".repeat(5000)}`, 402],
	[`${card}&billing_details[address]=x`, 400],
	[`${card}&billing_details[age]=7`, 400],
])("a browser's confirmation with the payment method data %s returns %i", async (data, expected) => {
	const intent = await create();
	const sent = [...new URLSearchParams(data)].map(([name, value]) => [
		name.replace(/^\w+/, "payment_method_data[$&]"),
		value,
	]);
	const { status, body } = await postFromBrowser<{ error: { type: string } }>(`payment_intents/${intent.id}/confirm`, {
		...Object.fromEntries(sent),
		client_secret: intent.client_secret ?? "",
	});
	expect([status, body.error.type]).toEqual([expected, expected === 402 ? "card_error" : "invalid_request_error"]);
	expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
});
