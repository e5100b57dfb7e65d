import { expect, test } from "vitest";
import { cardNotice, currency, deliveryAddress, pageTitle, shopName } from "#app/brand.ts";
import { pictureName } from "#app/catalogue/picture.tsx";
import { openPrimary } from "#app/http/databases.server.ts";
import { toDecimal } from "#app/ui/money.ts";
import * as schema from "#drizzle/schema.ts";
import { book, changeProduct, products } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { between, cards, cardsOf } from "../support/page.ts";
import { sendRaw } from "../support/raw-request.ts";
import { read } from "../support/response.ts";
import { insertOrders } from "../support/seed-data.ts";
import { newCustomer, openFileShop } from "./setup.ts";

const shop = await openFileShop();

const bookPath = `/product/${book.id}`;
const catalogue = await openPrimary(shop.d1).select().from(schema.products);

const page = async (path: string, visitor = new Customer(shop)) => read(await visitor.fetch(path));

// fetch would normalize some of these targets
const unknown = ["/product/0", "/product/%", "/a%0D%0Ab", "//evil.test/login"];
test.each(unknown)("GET %s returns the 404 page with an apology and all products", async (target) => {
	const response = await sendRaw(shop.url, { target });
	const html = await read(response);
	expect(response.status).toBe(404);
	expect(html).toContain("<h1>Page Not Found</h1>");
	expect(html).toMatch(/sorry/i);
	expect(cardsOf(html)).toEqual(cards);
	expect(html).not.toMatch(/rel="canonical"|property="og:|ld\+json/);
});

test.each(products)("GET /product/$id shows the product at $price, and describes it as JSON-LD", async (product) => {
	const { id, price, priceCents, title } = product;
	const html = await page(`/product/${id}`);
	const detail = between(html, '<article class="product">', "</article>");
	expect(between(detail, "<h1>", "</h1>")).toContain(title);
	expect(between(detail, '<span class="price">', "</span>")).toBe(price);

	const description = between(html, '<meta name="description" content="', '"');
	const [, json = ""] = /<script[^>]* type="application\/ld\+json"[^>]*>(.*?)<\/script>/.exec(html) ?? [];
	expect(JSON.parse(json)).toEqual({
		...{ "@context": "https://schema.org", "@type": "Product", sku: id, name: expect.stringContaining(title) },
		description: description.replaceAll("&quot;", '"').replaceAll("&#x27;", "'"),
		image: expect.stringMatching(new RegExp(`^${shop.url.origin}/pictures/[a-z]+-1280\\.webp$`)),
		offers: {
			...{ "@type": "Offer", url: `${shop.url.origin}/product/${id}`, availability: "https://schema.org/InStock" },
			...{ price: toDecimal(priceCents), priceCurrency: currency.toUpperCase() },
		},
	});
});

test("a product page's data has the details of its product, and of no other", async () => {
	for (const product of catalogue) {
		const html = await page(`/product/${product.id}.data`);
		const shown = catalogue.filter(({ details: { pictures, specifications, box } }) => {
			const texts = [...pictures.map(({ alt }) => alt), ...specifications.map(({ value }) => value), ...box];
			return texts.every((text) => html.includes(JSON.stringify(text)));
		});
		expect(shown).toEqual([product]);
	}
});

test("GET /login has one form with autocomplete, two buttons, a consent text and no browser validation", async () => {
	const form = between(await page("/login"), "<form", "</form>");
	const inputs = form.match(/<input [^>]*>/g);
	const password =
		'type="password" name="password" autoComplete="current-password" autoCapitalize="none" spellCheck="false"';
	for (const [index, attributes] of ['type="email" name="email" autoComplete="username"', password].entries()) {
		for (const attribute of attributes.split(" ")) expect(inputs?.[index]).toContain(attribute);
	}
	expect(inputs).toHaveLength(2);
	expect(form).toMatch(/novalidate/i);
	expect(form).not.toMatch(/\b(required|pattern|minlength|maxlength)=/i);
	// Enter presses the first button
	const [signIn = "", create = "", ...others] = form.match(/<button [^>]*type="submit"[^>]*>[^<]*/g) ?? [];
	expect(signIn).toMatch(/^(?!.* name=).*>Sign In$/);
	expect(create).toMatch(/ value="create-account".* name="intent".*>Create account$/);
	expect(others).toEqual([]);
	expect(form).toContain("fake clone");
});

test("a customer's /payment has the address and says who handles the card, and a new customer's /orders is empty", async () => {
	const visitor = await newCustomer(shop);
	const payment = await page("/payment", visitor);
	expect(between(payment, '<address translate="no">', "</address>")).toBe(
		`<div>${visitor.email}</div><bdi>${deliveryAddress.join(", ")}</bdi>`,
	);
	// the emulator does receive the card
	expect(payment).toContain(cardNotice);
	expect(payment).not.toContain("never reaches our server");
	const orders = await page("/orders", visitor);
	expect(orders).not.toContain("<article");
	expect(orders).toContain("You haven&#x27;t ordered anything yet.");
});

test("a guest's /checkout and /payment have an empty basket, /orders no list, and the search input no form", async () => {
	for (const path of ["/checkout", "/payment"]) {
		const html = await page(path);
		const header = between(html, '<header class="bar">', "</header>");
		expect(header).toContain("Hello Guest");
		expect(header).toContain('<input type="search"');
		expect(header).not.toContain("<form");
		expect(html).toContain("Your basket is empty.");
	}
	const html = await page("/orders");
	expect(html).toContain("<h1>Your Orders</h1>");
	expect(html).not.toContain("<article");
	expect(html).toContain("Sign in to see your orders.");
	expect(html).toMatch(/href="\/login"[^>]*>Sign In</);
});

test("GET of a product's path in upper case, with a slash and a query, returns its page with its canonical URL", async () => {
	const html = await read(await shop.fetch(`/PRODUCT/${book.id}/?ref=a`));
	expect(html).toContain(`rel="canonical" href="${shop.url.origin}${bookPath}"`);
});

/** Returns the contents of a page's meta tags by name or property, and its canonical URL. */
function tagsOf(html: string): Record<string, string | undefined> {
	const metas = html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g);
	const canonicals = [...html.matchAll(/<link rel="canonical" href="([^"]*)"/g)].map(([, href]) => href);
	expect(canonicals.length).toBeLessThanOrEqual(1);
	return { ...Object.fromEntries([...metas].map(([, name, content]) => [name, content])), canonical: canonicals[0] };
}

const escaped = `%${book.id.charCodeAt(0).toString(16)}${book.id.slice(1)}`;
test.each([
	["/?utm_source=a", "/", "shop"],
	[bookPath.replace(book.id, escaped), bookPath, pictureName(catalogue.find(({ id }) => id === book.id)?.image ?? "")],
	["/login?ref", "/login", "shop"],
	["/checkout", "/checkout", "shop"],
	["/payment", "/payment", "shop"],
	["/orders?before=1-pi_1", "/orders", "shop"],
])("GET %s has the canonical URL %s, and share tags like its title and description", async (path, canonical, image) => {
	const html = await page(path);
	expect(html).toMatch(/^<!DOCTYPE html><html lang="en">/);
	expect(html.match(/<title>[^<]+<\/title>/g)).toHaveLength(1);
	expect(html.match(/<meta name="description" content="[^"]{20,}"/g)).toHaveLength(1);
	const { origin } = shop.url;
	const tags = tagsOf(html);
	expect(tags).toMatchObject({
		canonical: origin + canonical,
		"og:type": "website",
		"og:site_name": shopName,
		"og:title": between(html, "<title>", "</title>").replace(pageTitle(""), ""),
		"og:description": tags["description"],
		"og:url": origin + canonical,
		"og:image": `${origin}/pictures/share-${image}.jpg`,
		...{ "og:image:width": "1200", "og:image:height": "630", "og:image:alt": expect.stringMatching(/.{5,}/) },
		"twitter:card": "summary_large_image",
	});
});

test("a page requested under another host name has that host in its URLs, even just after it was cached", async () => {
	for (const host of ["one.test", "two.test", "one.test"]) {
		const html = await (await sendRaw(shop.url, { target: bookPath, headers: [["Host", host]] })).text();
		expect(tagsOf(html)).toMatchObject({ canonical: `http://${host}${bookPath}` });
		expect(new Set([...html.matchAll(/http:\/\/([^/"]+)/g)].map(([, name]) => name))).toEqual(new Set([host]));
	}
});

/** Returns a page without its nonce, which differs in each response. */
async function pageFor(customer: Customer, path: string): Promise<string> {
	const response = await customer.fetch(path);
	const [, nonce = "missing"] = /'nonce-([^']+)'/.exec(response.headers.get("Content-Security-Policy") ?? "") ?? [];
	const html = await response.text();
	expect(html).toContain(`nonce="${nonce}"`);
	return html.replaceAll(nonce, "");
}

test.each(["/", bookPath, "/login"])("%s is cached for guests, and has only a customer's own email", async (path) => {
	const [guest, ada, grace] = [new Customer(shop), await newCustomer(shop), await newCustomer(shop)];
	for (const visitor of [guest, ada, guest, grace]) {
		const html = await pageFor(visitor, path);
		for (const { email } of [ada, grace]) expect(html.includes(email)).toBe(visitor.email === email);
		// a URL with a query is never cached
		expect(html).toBe((await pageFor(visitor, `${path}?x`)).replaceAll("?x=", ""));
	}
});

test("a URL with a query has a page of its own, before and after the page without one is cached", async () => {
	const guest = new Customer(shop);
	for (const _ of ["before", "after"]) {
		expect(await pageFor(guest, "/login?x")).toContain('action="/login?x="');
		expect(await pageFor(guest, "/login")).toContain('action="/login"');
	}
});

// the last test, because the isolate may keep the changed catalog
test("an order keeps its titles and prices when the catalog changes, and links only to products that are still sold", async () => {
	const shopper = await newCustomer(shop);
	await insertOrders(shop, await shopper.userId(), [1_763_650_000]);
	await shop.d1.prepare("update products set title = title || ' (renamed)' where id = ?").bind(book.id).run();
	for (const change of ["repriced", "sold out", "withdrawn"]) {
		const restore = await changeProduct(shop, book.id, change);
		const html = await page("/orders", shopper);
		await restore();
		const item = between(html, '<li class="line-item">', "</li>");
		expect([item.includes(`href="${bookPath}"`), html.includes("(renamed)")]).toEqual([change !== "withdrawn", false]);
		for (const text of [book.title, book.price]) expect(item).toContain(text);
	}
});
