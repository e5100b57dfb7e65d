import { expect, test } from "vitest";
import { book, products } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { policyOf, read } from "../support/response.ts";
import { openShop } from "../support/shop.ts";
import { closeAfterAll, newCustomer } from "./setup.ts";

const shop = closeAfterAll(await openShop());

const post = { method: "POST" };

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

test("pages have Strict-Transport-Security for two years, for their host without its subdomains", async () => {
	expect((await shop.fetch("/")).headers.get("Strict-Transport-Security")).toBe("max-age=63072000");
});

test("static files have the security headers, except Strict-Transport-Security, and are cached for a year (built files) or 30 days (pictures)", async () => {
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
			"x-content-type-options": "nosniff",
		});
		// a browser applies the header of any page to the whole host
		expect(response.headers.get("Strict-Transport-Security")).toBeNull();
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

test("every response has its status, a fitting Content-Type and, from the Worker, the security headers", async () => {
	const html = await (await shop.fetch("/")).text();
	const built = (type: string) => new RegExp(`"(/assets/[^"]+\\.${type})"`).exec(html)?.[1] ?? "";
	for (const [path, status, type, init] of [
		["/", 200, "text/html; charset=utf-8"],
		["/", 200, "text/html; charset=utf-8", { method: "HEAD" }],
		["/nowhere", 404, "text/html; charset=utf-8"],
		["/nowhere.data", 404, "text/x-script; charset=utf-8"],
		["/orders", 405, "text/html; charset=utf-8", { method: "DELETE", headers: { Accept: "text/html" } }],
		["/orders", 405, "application/json", { method: "DELETE" }],
		["/orders.data", 200, "text/x-script; charset=utf-8"],
		["/login.data", 400, "text/x-script; charset=utf-8", { ...post, body: new URLSearchParams({ email: "" }) }],
		["/logout.data", 202, "text/x-script; charset=utf-8", post],
		[`/payments/create?total=${book.priceCents}`, 200, "application/json", post],
		["/stripe/webhook", 400, "application/json", post],
		["/robots.txt", 200, "text/plain; charset=utf-8"],
		["/sitemap.xml", 200, "application/xml; charset=utf-8"],
		[built("js"), 200, "text/javascript; charset=utf-8"],
		[built("css"), 200, "text/css; charset=utf-8"],
		["/pictures/hero-960.webp", 200, "image/webp"],
		["/favicon.svg", 200, "image/svg+xml; charset=utf-8"],
	] as [string, number, string, RequestInit?][]) {
		const response = await new Customer(shop).fetch(path, init);
		expect([path, response.status, response.headers.get("Content-Type")]).toEqual([path, status, type]);
		const isFile = /^\/(assets|pictures|favicon)/.test(path);
		const body = await (isFile ? response.text() : read(response));
		expect([path, body !== ""]).toEqual([path, init?.method !== "HEAD"]);
	}
});
