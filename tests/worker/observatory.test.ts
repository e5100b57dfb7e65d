import { afterAll, beforeAll, expect, test } from "vitest";
import { Customer } from "../support/customer.ts";
import { judge, score } from "../support/observatory.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
let shopWithStripe: Shop;
beforeAll(async () => {
	shop = await openShop();
	shopWithStripe = await openShop({
		secrets: {
			STRIPE_SECRET_KEY: "sk_test_1",
			STRIPE_PUBLISHABLE_KEY: "pk_test_1",
			STRIPE_WEBHOOK_SECRET: "whsec_1",
		},
	});
});
afterAll(async () => {
	await shop?.close();
	await shopWithStripe?.close();
});

async function pageOf(visitor: Customer, path: string, init?: RequestInit) {
	const answer = await visitor.fetch(path, init);
	const headers = new Headers(answer.headers);
	// the emulator's card frames come from the shop's own origin, which has no TLS in tests
	replace(headers, shop.url.origin, "https://shop.test");
	const inTheClear = await visitor.fetch(path, { headers: { "CF-Visitor": '{"scheme":"http"}' } });
	return {
		headers,
		html: await answer.text(),
		inTheClear: { status: inTheClear.status, location: inTheClear.headers.get("Location") },
	};
}

const pages = ["/", "/login", "/checkout", "/payment", "/orders", "/product/12321341", "/nowhere"];

test.each(pages)(
	"GET %s scores at least 130 on Mozilla's Observatory for a guest, for a customer and with Stripe",
	async (path) => {
		const customer = new Customer(shop);
		await customer.createAccount();
		for (const visitor of [new Customer(shop), customer, new Customer(shopWithStripe)]) {
			const page = await pageOf(visitor, path);
			expect(score(page), JSON.stringify(judge(page))).toBeGreaterThanOrEqual(130);
		}
	},
);

test("the response that sets the session cookie scores 135", async () => {
	const { email, password } = new Customer(shop);
	const body = new URLSearchParams({ email, password, intent: "create-account" });
	const page = await pageOf(new Customer(shop), "/login", { method: "POST", body });
	expect(judge(page)["cookies"]).toBe(5);
	expect(score(page)).toBe(135);
});

const policy = "Content-Security-Policy";

test.each<[string, (headers: Headers) => void, number]>([
	["no policy", (headers) => headers.delete(policy), 55],
	["default-src 'self'", (headers) => replace(headers, "default-src 'none'", "default-src 'self'"), 125],
	["inline scripts", (headers) => replace(headers, /'nonce-[^']+'/, "'unsafe-inline'"), 80],
	["scripts from anywhere", (headers) => replace(headers, "script-src", "script-src https:"), 80],
	["eval", (headers) => replace(headers, "script-src", "script-src 'unsafe-eval'"), 110],
	["inline styles", (headers) => replace(headers, "style-src", "style-src 'unsafe-inline'"), 120],
	["framing allowed", (headers) => replace(headers, /; frame-ancestors 'none'/, ""), 80],
	["no HSTS", (headers) => headers.delete("Strict-Transport-Security"), 80],
	["sniffing allowed", (headers) => headers.delete("X-Content-Type-Options"), 125],
	["full referrers", (headers) => headers.set("Referrer-Policy", "unsafe-url"), 120],
	["no CORP", (headers) => headers.delete("Cross-Origin-Resource-Policy"), 120],
	["a cookie without HttpOnly", (headers) => headers.append("Set-Cookie", "a=b; Secure; SameSite=Lax"), 70],
])("GET / with %s scores lower", async (_, worsen, expected) => {
	const page = await pageOf(new Customer(shop), "/");
	const headers = new Headers(page.headers);
	worsen(headers);
	expect(score({ ...page, headers })).toBe(expected);
});

function replace(headers: Headers, search: string | RegExp, by: string): void {
	headers.set(policy, (headers.get(policy) ?? "").replace(search, by));
}
