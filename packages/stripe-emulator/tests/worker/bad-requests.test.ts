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

/** Asserts that a response is Stripe's invalid_request_error with this status. */
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
	["an empty body", null],
	["a JSON body", '{"amount":500,"currency":"usd"}'],
	["a JSON body with a list", '{"amount":[500]}'],
	["bytes that are not valid UTF-8", new Uint8Array([0x61, 0x3d, 0xff, 0xfe, 0x26, 0x25])],
	["an unclosed bracket", `${form}&metadata[a=1`],
	["an extra closing bracket", `${form}&metadata[a]]=1`],
	["a name of only brackets", `${form}&[]=1`],
	["an empty name", `${form}&=1`],
	["ten thousand nested groups", `${form}&${deep(10_000)}`],
	["ten nested groups", `${form}&${deep(10)}`],
	["a group nested in the metadata", `${form}&metadata[a][b]=1`],
	["a parameter named __proto__", `${form}&__proto__[admin]=1`],
	["a parameter named constructor", `${form}&constructor[prototype][admin]=1`],
	["a list in place of a scalar", "amount[]=500&currency=usd"],
	["a scalar in place of a group", `${form}&shipping=x`],
	["a scalar in place of a list", `${form}&allowed_payment_method_types=card`],
	["a list in place of a group", `${form}&shipping[]=x`],
	["a list of lists", `${form}&allowed_payment_method_types[][]=card`],
	["a list with an empty item", `${form}&allowed_payment_method_types[]=`],
	["another payment method type", `${form}&allowed_payment_method_types[]=link`],
	[
		"both ways to select payment methods",
		`${form}&allowed_payment_method_types[]=card&automatic_payment_methods[enabled]=true`,
	],
	["an amount in words", "amount=five&currency=usd"],
	["an amount in hexadecimal", "amount=0x1f4&currency=usd"],
	["an amount with an exponent", "amount=5e2&currency=usd"],
	["an amount with a leading space", "amount=+500&currency=usd"],
	["an amount in Arabic digits", "amount=٥٠٠&currency=usd"],
	["an amount of 400 digits", `amount=${"9".repeat(400)}&currency=usd`],
	["a negative amount", "amount=-500&currency=usd"],
	["two amounts, the last of them invalid", "amount=500&amount=x&currency=usd"],
	["an empty currency", "amount=500&currency="],
	["constructor as the currency", "amount=500&currency=constructor"],
	["confirm=maybe", `${form}&confirm=maybe`],
	["confirm=1", `${form}&confirm=1`],
	["the secret key as a parameter", `${form}&key=${SECRET_KEY}`],
	["a customer parameter", `${form}&customer=cus_1`],
	["an empty payment method", `${form}&payment_method=`],
	["payment method data without a type", `${form}&payment_method_data[card][token]=tok_1`],
	[
		"an unknown card part",
		`${form}&payment_method_data[type]=card&payment_method_data[card][number]=1&payment_method_data[card][expiry_part]=x`,
	],
])("create with %s returns 400", async (_, body) => {
	await refused(await send("/v1/payment_intents", body), 400);
});

test("the last value of a repeated parameter is used, and NUL is accepted", async () => {
	const response = await send("/v1/payment_intents", "amount=x&amount=500&currency=usd&description=a%00b%F0%9F%92%B3");
	expect(await response.json()).toMatchObject({ amount: 500, description: "a\0b💳" });
});

test("metadata keys can be named after Object.prototype members", async () => {
	const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
	const body = `${form}&${names.map((name) => `metadata[${name}]=x`).join("&")}`;
	const { metadata } = await (await send("/v1/payment_intents", body)).json<{ metadata: object }>();
	expect(Object.entries(metadata)).toEqual(names.map((name) => [name, "x"]));
});

test.each([
	["65,537 bytes", "x".repeat(65_537)],
	["40,000 two-byte characters", "é".repeat(40_000)],
	["3,000,000 bytes", "x".repeat(3_000_000)],
])("a request with a description of %s returns 413", async (_, description) => {
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
	"retrieving the intent %s returns 404",
	async (id) => {
		const response = await host.fetch(`/stripe-emulator/v1/payment_intents/${id}`, {
			headers: { Authorization: `Bearer ${SECRET_KEY}` },
		});
		await refused(response, 404);
	},
);

test("a HEAD request returns 404 without a body", async () => {
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
])("a request with the Authorization header %o returns 401", async (credentials) => {
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

test.each(["payment_methods", "tokens", "card_parts"])("POST %s from a server returns 400", async (path) => {
	await refused(await send(`/v1/${path}`, card), 400);
});

test.each([
	["an empty body", null],
	["invalid JSON", "{"],
	["null", "null"],
	["a list", "[]"],
	["no `control` property", "{}"],
	["an unknown control", '{"control":"explode"}'],
	["the name of an object method as the control", '{"control":"constructor"}'],
	["a __proto__ property", '{"__proto__":{"control":"calm"}}'],
	["an unknown mode", '{"control":"webhooks","mode":"never"}'],
	["101 copies", '{"control":"webhooks","copies":101}'],
	["a negative clock advance", '{"control":"clock","advance":-1}'],
	["a fractional clock advance", '{"control":"clock","advance":0.5}'],
	["an excessive clock advance", '{"control":"clock","advance":1e308}'],
	["no clock advance", '{"control":"clock"}'],
	["a fault without `when`", '{"control":"fail","fault":"500"}'],
	["an unknown fault", '{"control":"fail","fault":"418","when":"before"}'],
	["a host control without its number", '{"control":"fail_webhooks"}'],
	["an invalid event id", '{"control":"send","event":"../evt_1"}'],
])("a control with %s returns 400 and changes nothing", async (_, body) => {
	const before = (await state()).settings;
	const response = await host.fetch("/stripe-emulator/controls", { method: "POST", body });
	expect([response.status, await response.json()]).toEqual([400, { error: expect.stringMatching(/./) }]);
	expect((await state()).settings).toEqual(before);
});

test.each(["GET", "PUT", "DELETE", "OPTIONS"])("%s /controls returns 404", async (method) => {
	expect((await host.fetch("/stripe-emulator/controls", { method })).status).toBe(404);
});
