import { afterAll, beforeAll, expect, test } from "vitest";
import { book, monitor, products } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { between, cards, cardsOf, frameOf } from "../support/page.ts";
import { sendRaw } from "../support/raw-request.ts";
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

test("a product page's data has the details of its product and of the compared product, and of no other", async () => {
	const shown = async (id: string) => {
		const { html } = await page(`/product/${id}.data`);
		return ["Pages", "Speeds", "Refresh rate", "165 Hz", "120 Hz"].filter((words) => html.includes(`"${words}"`));
	};
	expect(await shown(book.id)).toEqual(["Pages"]);
	expect(await shown(monitor.id)).toEqual(["Refresh rate", "165 Hz", "120 Hz"]);
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

test.each([
	["/login", "current-password", ["Sign In", "Create account"]],
	["/login?new", "new-password", ["Create account", "Sign In"]],
])(
	"GET %s sets autocomplete to %s for password managers, and its buttons are %s",
	async (path, autocomplete, labels) => {
		const form = between((await page(path)).html, "<form", "</form>");
		expect(form).toMatch(/<input type="email"[^>]* autoComplete="username"/i);
		expect(/<input type="password"[^>]* autoComplete="([\w-]+)"/i.exec(form)?.[1]).toBe(autocomplete);
		const buttons = [...form.matchAll(/<button type="submit" class="button( main)?"[^>]*>([^<]+)/g)];
		expect(buttons.map(([, main, label]) => [label, main])).toEqual([
			[labels[0], " main"],
			[labels[1], undefined],
		]);
	},
);

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

/** Returns the contents of a page's meta tags by name or property, and its canonical URL. */
function tagsOf(html: string): Record<string, string | undefined> {
	const metas = html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g);
	const canonicals = [...html.matchAll(/<link rel="canonical" href="([^"]*)"/g)].map(([, href]) => href);
	expect(canonicals.length).toBeLessThanOrEqual(1);
	return { ...Object.fromEntries([...metas].map(([, name, content]) => [name, content])), canonical: canonicals[0] };
}

test.each([
	["/", "/", "shop"],
	["/?utm_source=a", "/", "shop"],
	["/product/12321341", "/product/12321341", "book"],
	["/Product/12321341/?ref=a", "/product/12321341", "book"],
	["/login?new", "/login", "shop"],
	["/checkout", "/checkout", "shop"],
	["/payment", "/payment", "shop"],
	["/orders?before=1-pi_1", "/orders", "shop"],
])(
	"GET %s has the canonical URL %s, and share tags with the same title and description",
	async (path, canonical, image) => {
		const { html } = await page(path);
		const { origin } = shop.url;
		const tags = tagsOf(html);
		expect(tags).toMatchObject({
			canonical: origin + canonical,
			"og:type": "website",
			"og:site_name": "Half Dozen",
			"og:title": between(html, "<title>", "</title>").replace(" · Half Dozen", ""),
			"og:description": tags["description"],
			"og:url": origin + canonical,
			"og:image": `${origin}/pictures/share-${image}.jpg`,
			"og:image:width": "1200",
			"og:image:height": "630",
			"og:image:alt": expect.stringMatching(/.{5,}/),
			"twitter:card": "summary_large_image",
		});
	},
);

test("the 404 page has no canonical URL and no share tags", async () => {
	for (const path of ["/nowhere", "/product/0"]) {
		const { html } = await page(path);
		expect(html).not.toMatch(/rel="canonical"|property="og:|ld\+json/);
	}
});

test("a page requested under another host name has that host in its URLs, even just after it was cached", async () => {
	for (const host of ["one.test", "two.test", "one.test"]) {
		const request = { method: "GET", target: "/product/12321341", body: "", framing: "nothing" as const };
		const response = await sendRaw(shop.url, { ...request, headers: [["Host", host]] });
		const html = await response?.text();
		expect(tagsOf(html ?? "")).toMatchObject({ canonical: `http://${host}/product/12321341` });
		expect(new Set([...(html ?? "").matchAll(/http:\/\/([^/"]+)/g)].map(([, name]) => name))).toEqual(new Set([host]));
	}
});

test.each(products)(
	"GET /product/$id describes the product at $price as JSON-LD",
	async ({ id, priceCents, title }) => {
		const { html } = await page(`/product/${id}`);
		const description = between(html, '<meta name="description" content="', '"');
		const [, json = ""] = /<script[^>]* type="application\/ld\+json"[^>]*>(.*?)<\/script>/.exec(html) ?? [];
		const url = `${shop.url.origin}/product/${id}`;
		expect(JSON.parse(json)).toEqual({
			"@context": "https://schema.org",
			"@type": "Product",
			sku: id,
			name: expect.stringContaining(title),
			description: description.replaceAll("&quot;", '"').replaceAll("&#x27;", "'"),
			image: expect.stringMatching(new RegExp(`^${shop.url.origin}/pictures/[a-z]+-1280\\.webp$`)),
			offers: {
				"@type": "Offer",
				url,
				price: (priceCents / 100).toFixed(2),
				priceCurrency: "USD",
				availability: "https://schema.org/InStock",
			},
		});
	},
);
