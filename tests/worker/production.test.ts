import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { book } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { type Deployment, openDeployment, sentinel } from "../support/deployment.ts";
import { cards, cardsOf } from "../support/page.ts";
import { read, readProblem } from "../support/response.ts";

let production: Deployment;
beforeAll(async () => {
	production = await openDeployment("production");
}, 180_000);
afterAll(() => production?.close());

/** Returns the uploaded files whose path or text matches. */
function uploadedWith(words: RegExp): string[] {
	const files = [...production.uploaded];
	expect(files.length).toBeGreaterThan(20);
	return files.filter(([path, text]) => words.test(`${path}\n${text}`)).map(([path]) => path);
}

test("the production upload contains no code of the Stripe emulator", () => {
	expect(uploadedWith(/emulator/i)).toEqual([]);
	expect(production.rehearsal).not.toMatch(/emulator/i);
});

test("the production upload contains no .dev.vars values", () => {
	expect(uploadedWith(new RegExp(`^.*\\.dev\\.vars\n|${sentinel}`))).toEqual([]);
	expect(production.rehearsal).not.toContain(sentinel);
});

test("the production upload contains no source maps and no references to them", () => {
	expect(uploadedWith(/^.*\.map\n|sourceMappingURL|sourcesContent/)).toEqual([]);
});

test("the production Worker starts and serves the six products", async () => {
	const response = await new Customer(production.shop).fetch("/");
	expect(cardsOf(await read(response))).toEqual(cards);
	expect(response.status).toBe(200);
});

test("the production Worker stores password hashes at full cost, even if PASSWORD_COST is set", async () => {
	const customer = new Customer(production.shop);
	await read(await customer.createAccount());
	const hash = production.shop.d1.prepare("select password_hash from users where email = ?").bind(customer.email);
	expect(await hash.first("password_hash")).toMatch(/^scrypt\$16384\$8\$5\$/);
});

test("GET over HTTP in production returns 301 to the same page over HTTPS", async () => {
	const headers = { "CF-Visitor": '{"scheme":"http"}' };
	const response = await new Customer(production.shop).fetch("/old/page?a=b", { headers });
	await read(response);
	expect([response.status, response.headers.get("Location")]).toEqual([
		301,
		`https://${production.shop.url.host}/old/page?a=b`,
	]);
});

test.each(["/", "/login", "/payment", "/nowhere"])("GET %s in production shows no demo notice", async (path) => {
	const html = await read(await new Customer(production.shop).fetch(path));
	expect(html).toContain("<main");
	expect(html).not.toMatch(/class="notice"|demonstration/i);
});

test.each(["/stripe-emulator/stripe.js", "/stripe-emulator/card-frame", "/stripe-emulator/v1/payment_intents"])(
	"GET %s returns 404 in production",
	async (path) => {
		const response = await new Customer(production.shop).fetch(path);
		await read(response);
		expect(response.status).toBe(404);
	},
);

test("POST /payments/create without keys returns 503 and logs the names of the three variables", async () => {
	const response = await new Customer(production.shop).fetch(`/payments/create?total=${book.priceCents}`, {
		method: "POST",
	});
	expect(response.status).toBe(503);
	expect(await response.json()).toEqual({ error: { code: "unavailable", message: expect.any(String) } });
	for (const name of ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"]) {
		expect(production.shop.logs()).toContain(name);
	}
});

test("POST /payments/create without keys returns 400 for an invalid total", async () => {
	const response = await new Customer(production.shop).fetch("/payments/create?total=49", { method: "POST" });
	expect([response.status, await readProblem(response)]).toEqual([400, "total_invalid"]);
});

test("GET /payment without keys shows that payments are unavailable", async () => {
	expect(await read(await new Customer(production.shop).fetch("/payment"))).toContain(
		"We can&#x27;t take payments right now.",
	);
});

test("wrangler's dry run binds the production build to its database", () => {
	expect(production.rehearsal).toContain("--dry-run: exiting now.");
	expect(production.rehearsal).toContain("env.DB (half-dozen)");
	expect(production.rehearsal).not.toMatch(/warning/i);
});

test("the production Worker is smaller than 230 kB after gzip", () => {
	const modules = [...production.uploaded].filter(([path]) => /^rehearsed\/.*\.js$/.test(path)).map(([, text]) => text);
	expect(modules.length).toBeGreaterThan(0);
	expect(gzipSync(Buffer.from(modules.join(""), "latin1")).length).toBeLessThan(230_000);
});
