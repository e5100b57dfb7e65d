import { afterAll, beforeAll, expect, test } from "vitest";
import { products } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { between, cards, cardsOf, frameOf } from "../support/page.ts";
import { read } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());

async function page(path: string, visitor = new Customer(shop)) {
	const response = await visitor.fetch(path);
	return { status: response.status, html: await read(response) };
}

test.each([
	["/", 200, { header: true, footerBar: true }],
	["/login", 200, { header: false, footerBar: true }],
	["/checkout", 200, { header: true, footerBar: false }],
	["/payment", 200, { header: true, footerBar: false }],
	["/orders", 200, { header: true, footerBar: true }],
	["/product/12321341", 200, { header: true, footerBar: true }],
	["/anything/else", 404, { header: true, footerBar: true }],
])("GET %s returns %i with the specified header and footer bar", async (path, status, frame) => {
	const { status: answered, html } = await page(path);
	expect({ answered, ...frameOf(html) }).toEqual({ answered: status, ...frame });
	expect(html).toMatch(/^<!DOCTYPE html><html lang="en">/);
	expect(html.match(/<h1/g)).toHaveLength(1);
	expect(html.match(/<title>[^<]+<\/title>/g)).toHaveLength(1);
	expect(html.match(/<meta name="description" content="[^"]{20,}"/g) ?? []).toHaveLength(status === 200 ? 1 : 0);
});

test("the header has the logo, a search input without a form, a greeting, orders, Prime and the basket", async () => {
	const { html } = await page("/");
	const header = between(html, '<header class="bar">', "</header>");
	expect(header).toContain('<a class="logo" href="/"');
	expect(header).toContain('<input type="search"');
	expect(header).not.toContain("<form");
	expect(header).toContain("Hello Guest");
	expect(header).toMatch(/<a href="\/login"[^>]*>Sign In</);
	expect(header).toMatch(/href="\/orders"[^>]*><small>Returns<\/small><span>&amp; Orders</);
	expect(header).toContain(">Prime<");
	expect(header).toMatch(/href="\/checkout"[^>]*>.*<b>0<\/b>/);
});

test("a customer's header has a Sign Out form and no link to /login", async () => {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	const { html } = await page("/", visitor);
	const header = between(html, '<header class="bar">', "</header>");
	expect(header).toMatch(/<form[^>]*action="\/logout"[^>]*><button[^>]*>Sign Out</);
	expect(header).not.toContain('href="/login"');
});

test("the footer bar has a Home link and Dark and Light buttons", async () => {
	const footer = between((await page("/login")).html, '<footer class="foot">', "</footer>");
	expect(footer).toMatch(/<a href="\/"[^>]*>Home</);
	expect(footer).toMatch(/<button[^>]*>Dark<.*<button[^>]*>Light</);
});

test("GET / shows a hero and all products in rows of 2, 3 and the others", async () => {
	const { html } = await page("/");
	expect(html).toContain('<section class="hero">');
	const rows = html.split(/<div class="row[ "]/).slice(1);
	expect(rows.map(cardsOf)).toEqual([cards.slice(0, 2), cards.slice(2, 5), cards.slice(5)]);
	for (const { title } of products) expect(html).toContain(`<h2>${title}`);
});

test.each(products)("GET /product/$id shows the product at $price", async ({ id, price, rating, title }) => {
	const { status, html } = await page(`/product/${id}`);
	const detail = between(html, '<article class="product">', "</article>");
	expect(status).toBe(200);
	expect(between(detail, "<h1>", "</h1>")).toContain(title);
	expect(between(detail, '<span class="price">', "</span>")).toBe(price);
	expect(detail).toContain(`Rated ${rating} out of 5 stars`);
	expect(detail).toMatch(/<p>[^<]{80,}<\/p>/);
	expect(detail).toContain(">Add to Basket<");
	expect(detail).toMatch(/<img src="\/pictures\//);
});

test("GET /login has email and password fields, Sign In and Create account, and no browser validation", async () => {
	const form = between((await page("/login")).html, "<form", "</form>");
	expect(form).toMatch(/<input type="email"[^>]* name="email"/);
	expect(form).toMatch(/<input type="password"[^>]* name="password"/);
	expect(form).toMatch(/>Sign In<\/button>.*fake clone.*>Create account<\/button>/);
	expect(form).toMatch(/novalidate/i);
	expect(form).not.toMatch(/\b(required|pattern|minlength|maxlength)=/i);
	expect(form.match(/<input /g)).toHaveLength(2);
});

test("GET /login sets autocomplete on its fields for password managers", async () => {
	const form = between((await page("/login")).html, "<form", "</form>");
	expect(form).toMatch(/<input type="email"[^>]* autoComplete="username"/i);
	expect(form).toMatch(/<input type="password"[^>]* autoComplete="current-password"/i);
});

test("GET /checkout greets the customer by email and shows a subtotal, a gift checkbox and a link to /payment", async () => {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	const { html } = await page("/checkout", visitor);
	expect(html).toContain(`Hello, ${visitor.email}`);
	expect(html).toContain('Subtotal (0 items): <b class="price">$0.00</b>');
	expect(html).toMatch(/<input type="checkbox"\/> This order contains a gift/);
	expect(html).toMatch(/href="\/payment"[^>]*>Proceed to Checkout</);
});

test("GET /payment shows the address with the customer's email, the items and the payment method", async () => {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	const { html } = await page("/payment", visitor);
	expect(between(html, "<address>", "</address>")).toBe(
		`${visitor.email}<br/>6 Dozen Street<br/>Half Moon Bay, CA 94019`,
	);
	const headings = [...html.matchAll(/<h2>([^<]+)/g)].map(([, heading]) => heading);
	expect(headings).toEqual(["Delivery address", "Review items", "Payment method"]);
	// the emulator does receive the card
	expect(html).toContain("This is a test payment: no money moves. Don&#x27;t enter a real card.");
	expect(html).not.toContain("never reaches our server");
});

test.each(["/checkout", "/payment"])("GET %s shows a guest an empty basket", async (path) => {
	const { status, html } = await page(path);
	expect(status).toBe(200);
	expect(html).toContain("Guest");
	expect(html).toContain("Your basket is empty.");
});

test("GET /orders shows a guest an empty list and a link to sign in", async () => {
	const { html } = await page("/orders");
	expect(html).toContain("<h1>Your Orders</h1>");
	expect(html).not.toContain("<article");
	expect(html).toMatch(/<a href="\/login"[^>]*>Sign in<\/a> to see your orders/);
});

test("GET /orders shows a customer without orders an empty list", async () => {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	const { html } = await page("/orders", visitor);
	expect(html).not.toContain("<article");
	expect(html).toContain("You haven&#x27;t ordered anything yet.");
});
