import { expect, test } from "vitest";
import { book, products } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { leaks, policyOf, read, securityHeaders } from "../support/response.ts";
import { openShop } from "../support/shop.ts";
import { closeAfterAll, newCustomer } from "./setup.ts";

const shop = closeAfterAll(await openShop());

const productPage = `/product/${book.id}`;
const post = { method: "POST" };

test.each<[string, string, RequestInit, number]>([
	["a HEAD response", "/", { method: "HEAD" }, 200],
	["a .data response", "/orders.data", {}, 200],
	["a .data redirect", "/logout.data", post, 202],
	["a rejected .data form", "/login.data", { ...post, body: new URLSearchParams({ email: "" }) }, 400],
	["an unknown .data path", "/nowhere.data", {}, 404],
	["a 405 response", "/orders", { method: "DELETE" }, 405],
])("%s has the security headers and no error details", async (_, path, init, status) => {
	const response = await new Customer(shop).fetch(path, init);
	expect(response.status).toBe(status);
	expect(Object.fromEntries(response.headers)).toMatchObject(securityHeaders);
	expect(await response.text()).not.toMatch(leaks);
});

test("a 500 page and its .data response have the security headers and no error details", async () => {
	const visitor = await newCustomer(shop);
	for (const path of ["/orders", "/orders.data"]) {
		await shop.control({ control: "shop_fault", service: "d1", call: "every", fault: "before", path: "/orders" });
		const response = await visitor.fetch(path);
		await shop.control({ control: "calm" });
		expect(response.status).toBe(500);
		expect(Object.fromEntries(response.headers)).toMatchObject(securityHeaders);
		expect(response.headers.get("Cache-Control")).toBe("no-store");
		expect(await response.text()).not.toMatch(leaks);
	}
});

test("every script on a page has the Content-Security-Policy's nonce, which differs in each response", async () => {
	const nonces = await Promise.all(
		["/", "/", "/payment", "/nowhere"].map(async (path) => {
			const response = await new Customer(shop).fetch(path);
			const [, nonce] = /'nonce-([^']+)'/.exec(response.headers.get("Content-Security-Policy") ?? "") ?? [];
			const scripts = [...(await read(response)).matchAll(/<script\b[^>]*>/g)].map(([script]) => script);
			expect(scripts.length).toBeGreaterThan(2);
			for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
			return nonce;
		}),
	);
	expect(new Set(nonces).size).toBe(4);
});

test("the Content-Security-Policy allows only the shop's own files and the emulator's card frame", async () => {
	expect(policyOf(await new Customer(shop).fetch("/"))).toEqual([
		...["default-src 'none'", "script-src 'self' 'nonce'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
		`frame-src ${shop.url.origin}`,
		...["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
	]);
});

test("no page contains anything that the Content-Security-Policy blocks", async () => {
	for (const path of ["/", "/login", "/checkout", "/payment", "/orders", productPage, "/nowhere"]) {
		const html = await read(await new Customer(shop).fetch(path));
		expect(html).not.toMatch(/\sstyle="|<style|\son\w+="|href="javascript:/i);
		// a browser does not load the canonical URL
		const sources = [...html.matchAll(/(?<!rel="canonical" )\b(?:src|srcSet|href|action)="([^"]+)"/gi)].flatMap(
			([, urls = ""]) => urls.split(", "),
		);
		for (const source of sources) {
			if (source.startsWith("#")) expect(html).toContain(`id="${source.slice(1)}"`);
			else expect(source).toMatch(/^\/(?!\/)/);
		}
	}
});

test("a customer's pages have Cache-Control: no-store, and a guest's have private, no-cache", async () => {
	const visitor = await newCustomer(shop);
	for (const path of ["/", "/orders", "/orders.data", "/nowhere"]) {
		expect((await visitor.fetch(path)).headers.get("Cache-Control")).toBe("no-store");
		expect((await new Customer(shop).fetch(path)).headers.get("Cache-Control")).toBe("private, no-cache");
	}
});

test("a page preloads the styles of all pages", async () => {
	for (const path of ["/", "/login", "/nowhere"]) {
		const response = await new Customer(shop).fetch(path);
		const [, styles] = /<link[^>]*rel="stylesheet"[^>]*href="([^"]+\/app-[^"]+)"/.exec(await read(response)) ?? [];
		expect(response.headers.get("Link")).toBe(`<${styles}>; rel=preload; as=style`);
	}
});

test("static files have the security headers, and are cached for a year (built files) or 30 days (pictures)", async () => {
	const html = await (await shop.fetch("/")).text();
	const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(html) ?? [];
	const [, built = script] = /href="(\/assets\/[^"]+\.js)"/.exec(html) ?? [];
	for (const path of [built, "/favicon.svg", "/favicon.ico", "/pictures/hero-960.webp"]) {
		const response = await shop.fetch(path);
		await response.arrayBuffer();
		expect(response.status).toBe(200);
		expect(Object.fromEntries(response.headers)).toMatchObject({
			"content-security-policy":
				"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
			"cross-origin-resource-policy": "same-origin",
			"referrer-policy": "strict-origin-when-cross-origin",
			"strict-transport-security": "max-age=63072000; includeSubDomains; preload",
			"x-content-type-options": "nosniff",
		});
	}
	expect((await shop.fetch(built)).headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
	const picture = await shop.fetch("/pictures/hero-tall-760.avif");
	expect(picture.headers.get("Cache-Control")).toBe("public, max-age=2592000");
});

test("robots.txt allows all crawlers and names the sitemap, which lists the home page and every product", async () => {
	const robots = await read(await shop.fetch("/robots.txt"));
	expect(robots).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${shop.url.origin}/sitemap.xml\n`);
	const sitemap = await read(await shop.fetch("/sitemap.xml"));
	const listed = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = ""]) => url);
	const paths = ["/", ...products.map(({ id }) => `/product/${id}`)];
	expect(listed).toEqual(paths.map((path) => shop.url.origin + path));
	// each listed page calls itself canonical
	for (const url of listed) expect(await read(await shop.fetch(url))).toContain(`rel="canonical" href="${url}"`);
});

test("responses have no CORS headers, whatever the Origin", async () => {
	const visitor = await newCustomer(shop);
	for (const Origin of ["https://evil.test", shop.url.origin]) {
		for (const [path, method] of [
			["/", "GET"],
			["/favicon.svg", "GET"],
			["/payments/place", "OPTIONS"],
			[`/payments/create?total=${book.priceCents}`, "POST"],
		] as const) {
			const { headers } = await visitor.fetch(path, { method, headers: { Origin } });
			expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
		}
	}
});

test("every response body has the right Content-Type, with a charset for text", async () => {
	const html = await (await shop.fetch("/")).text();
	const built = (type: string) => new RegExp(`"(/assets/[^"]+\\.${type})"`).exec(html)?.[1] ?? "";
	for (const [path, type, init] of [
		["/", "text/html; charset=utf-8"],
		["/nowhere", "text/html; charset=utf-8"],
		["/orders", "text/html; charset=utf-8", { method: "DELETE", headers: { Accept: "text/html" } }],
		["/orders", "application/json", { method: "DELETE" }],
		[`/payments/create?total=${book.priceCents}`, "application/json", post],
		["/stripe/webhook", "application/json", post],
		[built("js"), "text/javascript; charset=utf-8"],
		[built("css"), "text/css; charset=utf-8"],
		["/robots.txt", "text/plain; charset=utf-8"],
		["/sitemap.xml", "application/xml; charset=utf-8"],
		["/pictures/hero-960.webp", "image/webp"],
		["/orders.data", "text/x-script; charset=utf-8"],
		["/favicon.svg", "image/svg+xml; charset=utf-8"],
	] as [string, string, RequestInit?][]) {
		const response = await new Customer(shop).fetch(path, init);
		expect([path, response.headers.get("Content-Type")]).toEqual([path, type]);
		expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
	}
});
