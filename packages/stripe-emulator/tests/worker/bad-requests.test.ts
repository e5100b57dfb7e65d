import { afterAll, expect, test } from "vitest";
import { PUBLISHABLE_KEY, SECRET_KEY } from "../../keys.ts";
import { create, host, state } from "../support/emulator.ts";

const deep = (levels: number) => `metadata${"[a]".repeat(levels)}=1`;
const form = "amount=500&currency=usd";

/** Sends an invalid body with the secret key. */
function send(path: string, body: BodyInit | null, method = "POST") {
	const headers = { Authorization: `Bearer ${SECRET_KEY}`, "Content-Type": "application/x-www-form-urlencoded" };
	return host.fetch(`/stripe-emulator${path}`, { method, headers, body });
}

/** Asserts a Stripe invalid_request_error and not an internal error. */
async function refused(response: Response, status: number): Promise<void> {
	const text = await response.text();
	expect(response.status, text).toBe(status);
	expect(JSON.parse(text)).toMatchObject({
		error: { type: "invalid_request_error", message: expect.stringMatching(/./) },
	});
}

afterAll(async () => {
	expect(host.logs()).not.toContain("Stripe emulator, req_");
});

test.each([
	["nothing", null],
	["JSON", '{"amount":500,"currency":"usd"}'],
	["JSON with a list", '{"amount":[500]}'],
	["bytes that are no UTF-8", new Uint8Array([0x61, 0x3d, 0xff, 0xfe, 0x26, 0x25])],
	["a bracket left open", `${form}&metadata[a=1`],
	["a bracket too many", `${form}&metadata[a]]=1`],
	["a name of brackets", `${form}&[]=1`],
	["no name", `${form}&=1`],
	["ten thousand groups in each other", `${form}&${deep(10_000)}`],
	["ten groups in each other", `${form}&${deep(10)}`],
	["a group in the metadata", `${form}&metadata[a][b]=1`],
	["the prototype of objects", `${form}&__proto__[admin]=1`],
	["the constructor of objects", `${form}&constructor[prototype][admin]=1`],
	["a list where a scalar belongs", "amount[]=500&currency=usd"],
	["a scalar where a group belongs", `${form}&shipping=x`],
	["a scalar where a list belongs", `${form}&allowed_payment_method_types=card`],
	["a list where a group belongs", `${form}&shipping[]=x`],
	["a list of lists", `${form}&allowed_payment_method_types[][]=card`],
	["a list with nothing in it", `${form}&allowed_payment_method_types[]=`],
	["another payment method type", `${form}&allowed_payment_method_types[]=link`],
	["two ways to choose", `${form}&allowed_payment_method_types[]=card&automatic_payment_methods[enabled]=true`],
	["an amount in words", "amount=five&currency=usd"],
	["an amount in hexadecimal", "amount=0x1f4&currency=usd"],
	["an amount with an exponent", "amount=5e2&currency=usd"],
	["an amount with a blank", "amount=+500&currency=usd"],
	["an amount of Arabic digits", "amount=٥٠٠&currency=usd"],
	["an amount beyond all numbers", `amount=${"9".repeat(400)}&currency=usd`],
	["a negative amount", "amount=-500&currency=usd"],
	["the last of two amounts wrong", "amount=500&amount=x&currency=usd"],
	["an empty currency", "amount=500&currency="],
	["a currency with a name of objects", "amount=500&currency=constructor"],
	["confirm=maybe", `${form}&confirm=maybe`],
	["confirm=1", `${form}&confirm=1`],
	["the secret key as a parameter", `${form}&key=${SECRET_KEY}`],
	["a customer", `${form}&customer=cus_1`],
	["an empty payment method", `${form}&payment_method=`],
	["a payment method of no type", `${form}&payment_method_data[card][token]=tok_1`],
	[
		"an unknown card part",
		`${form}&payment_method_data[type]=card&payment_method_data[card][number]=1&payment_method_data[card][expiry_part]=x`,
	],
])("create with %s is refused", async (_, body) => {
	await refused(await send("/v1/payment_intents", body), 400);
});

test("the last of duplicate parameters wins, and NUL is accepted", async () => {
	const response = await send("/v1/payment_intents", "amount=x&amount=500&currency=usd&description=a%00b%F0%9F%92%B3");
	expect(await response.json()).toMatchObject({ amount: 500, description: "a\0b💳" });
});

test("metadata keys may be names of Object.prototype members", async () => {
	const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
	const body = `${form}&${names.map((name) => `metadata[${name}]=x`).join("&")}`;
	const { metadata } = await (await send("/v1/payment_intents", body)).json<{ metadata: object }>();
	expect(Object.entries(metadata)).toEqual(names.map((name) => [name, "x"]));
});

test.each([
	["65,537 bytes", "x".repeat(65_537)],
	["40,000 characters of two bytes", "é".repeat(40_000)],
	["3,000,000 bytes", "x".repeat(3_000_000)],
])("a body of %s returns 413", async (_, description) => {
	await refused(await send("/v1/payment_intents", `${form}&description=${description}`), 413);
});

test("a body of 65,536 bytes is accepted", async () => {
	const start = `${form}&description=`;
	const response = await send("/v1/payment_intents", start + "x".repeat(65_536 - start.length));
	expect(response.status).toBe(200);
	await response.body?.cancel();
});

test.each([
	["PUT", "/v1/payment_intents"],
	["PATCH", "/v1/payment_intents"],
	["DELETE", "/v1/payment_intents"],
	["DELETE", "/v1/payment_intents/pi_1"],
	["PUT", "/v1/payment_intents/pi_1/confirm"],
	["POST", "/v1/events"],
	["POST", "/v1/charges"],
])("%s %s returns 404", async (method, path) => {
	await refused(await send(path, "a=1", method), 404);
});

test.each([
	"/v1/",
	"/v1/payment_intents/",
	"/v1//payment_intents",
	"/v1/payment_intents/pi_1/capture",
	"/v1/payment_intents/pi_1/confirm/",
	"/v1/payment_intents/..%2f..%2fstate",
	"/v1/payment_intents/%00",
	"/v1/payment_intents/pi%201",
	"/v1/payment_intents/pi_1'--",
	"/v1/customers",
	"/v2/core/events",
	"/v1/constructor",
	"/v1/__proto__/x",
])("GET %s returns 404", async (path) => {
	const response = await host.fetch(`/stripe-emulator${path}`, { headers: { Authorization: `Bearer ${SECRET_KEY}` } });
	if (path.startsWith("/v1/")) await refused(response, 404);
	else expect([response.status, await response.text()]).toEqual([404, "Not found"]);
});

test.each(["constructor", "__proto__", "pi_".repeat(500), "0", "null"])(
	"GET of the intent %s returns 404",
	async (id) => {
		const response = await host.fetch(`/stripe-emulator/v1/payment_intents/${id}`, {
			headers: { Authorization: `Bearer ${SECRET_KEY}` },
		});
		await refused(response, 404);
	},
);

test("HEAD returns no body", async () => {
	const { id } = await create();
	const headers = { Authorization: `Bearer ${SECRET_KEY}` };
	const response = await host.fetch(`/stripe-emulator/v1/payment_intents/${id}`, { method: "HEAD", headers });
	expect([response.status, await response.text()]).toEqual([404, ""]);
});

test.each([
	"Bearer",
	"Bearer ",
	`Basic ${btoa(`${SECRET_KEY}:`)}`,
	SECRET_KEY,
	`Bearer ${SECRET_KEY}x`,
	"Bearer constructor",
])("the credentials %o are refused", async (credentials) => {
	const response = await host.fetch("/stripe-emulator/v1/payment_intents", { headers: { Authorization: credentials } });
	await refused(response, 401);
});

const card = "type=card&card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=40";
test.each([
	["payment_methods", "type=card", 400],
	["payment_methods", "type=card&card=4242", 400],
	["payment_methods", "type=card&card[number][]=4242", 400],
	["payment_methods", "type=link&card[number]=4242", 400],
	["payment_methods", "type=card&card[number]=4242", 400],
	["payment_methods", `${card}&card[exp_month]=1e1`, 400],
	["payment_methods", `${card}&card[exp_month]=-1`, 402],
	["payment_methods", `${card}&card[exp_year]=-1`, 402],
	["payment_methods", `${card}&card[cvc]=abc`, 402],
	["payment_methods", `${card}&card[cvc]=12٣`, 402],
	["payment_methods", `${card}&card[number]=４２４２４２４２４２４２４２４２`, 402],
	["payment_methods", `${card}&card[number]=${"4".repeat(5000)}`, 402],
	["payment_methods", `${card}&billing_details[address]=x`, 400],
	["payment_methods", `${card}&billing_details[age]=7`, 400],
	["tokens", "card[token]=tok_1", 400],
	["tokens", "", 400],
	["card_parts", "", 400],
	["card_parts", "part=x", 400],
	["card_parts", "part[number]=4242424242424242", 400],
	["card_parts", "part[exp_month]=12", 400],
])("a browser's POST %s with %s returns %i", async (path, fields, status) => {
	const body = `${fields}&key=${PUBLISHABLE_KEY}`;
	const response = await host.fetch(`/stripe-emulator/v1/${path}`, {
		method: "POST",
		headers: { "Content-Type": "application/x-www-form-urlencoded" },
		body,
	});
	const { error } = await response.json<{ error: { type: string } }>();
	expect([response.status, error.type]).toEqual([status, status === 402 ? "card_error" : "invalid_request_error"]);
});

test.each(["payment_methods", "tokens", "card_parts"])("POST %s from a server is refused", async (path) => {
	await refused(await send(`/v1/${path}`, card), 400);
});

test.each([
	["nothing", null],
	["no JSON", "{"],
	["null", "null"],
	["a list", "[]"],
	["no control", "{}"],
	["an unknown control", '{"control":"explode"}'],
	["a method of objects", '{"control":"constructor"}'],
	["a prototype", '{"__proto__":{"control":"calm"}}'],
	["an unknown mode", '{"control":"webhooks","mode":"never"}'],
	["a hundred and one copies", '{"control":"webhooks","copies":101}'],
	["time to go back", '{"control":"clock","advance":-1}'],
	["half a second", '{"control":"clock","advance":0.5}'],
	["endless time", '{"control":"clock","advance":1e308}'],
	["no time", '{"control":"clock"}'],
	["a fault without a time", '{"control":"fail","fault":"500"}'],
	["a fault that is none", '{"control":"fail","fault":"418","when":"before"}'],
	["a control of the host without its number", '{"control":"fail_webhooks"}'],
	["an event that is none", '{"control":"send","event":"../evt_1"}'],
])("a control with %s returns 400 and changes nothing", async (_, body) => {
	const before = (await state()).settings;
	const response = await host.fetch("/stripe-emulator/controls", { method: "POST", body });
	expect([response.status, await response.json()]).toEqual([400, { error: expect.stringMatching(/./) }]);
	expect((await state()).settings).toEqual(before);
});

test.each(["GET", "PUT", "DELETE", "OPTIONS"])("%s /controls returns 404", async (method) => {
	expect((await host.fetch("/stripe-emulator/controls", { method })).status).toBe(404);
});
