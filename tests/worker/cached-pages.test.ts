import { afterAll, beforeAll, expect, test } from "vitest";
import { book } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { openShop, type Shop } from "../support/shop.ts";

// The pages that an isolate renders once for all guests and once for all customers.

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());

const paths = ["/", `/product/${book.id}`, "/login"];
const placeholder = /(nonce|id|email)-[0-9a-f]{8}-/;

/** Returns a customer who is signed in with this email. */
async function signedIn(email: string): Promise<Customer> {
	const customer = new Customer(shop);
	await customer.submit("/login", { email, password: customer.password, intent: "create-account" });
	return customer;
}

/** Returns a page without its nonce, which differs in each response. */
async function pageFor(customer: Customer, path: string): Promise<string> {
	const response = await customer.fetch(path);
	const [, nonce = "missing"] = /'nonce-([^']+)'/.exec(response.headers.get("Content-Security-Policy") ?? "") ?? [];
	const html = await response.text();
	expect(html).toContain(`nonce="${nonce}"`);
	expect(html).not.toMatch(placeholder);
	return html.replaceAll(nonce, "");
}

test.each(paths)("a customer's %s contains the customer's own id and email, as if rendered for them", async (path) => {
	const [ada, grace] = [await signedIn(`ada${path}@example.com`), await signedIn(`grace${path}@example.com`)];
	for (const customer of [ada, grace, ada]) {
		const html = await pageFor(customer, path);
		// a URL with a query is never cached
		expect(html).toBe((await pageFor(customer, `${path}?x`)).replaceAll("?x=", ""));
	}
	expect(await pageFor(ada, path)).not.toContain("grace");
	expect(await pageFor(new Customer(shop), path)).not.toContain("@example.com");
});

test.each([
	["o'brien@example.com", "o&#x27;brien@example.com"],
	['"<b>&amp;"@example.com', "&quot;&lt;b&gt;&amp;amp;&quot;@example.com"],
	["\\u0041$&@example.com", "\\u0041$&amp;@example.com"],
	["ünï@example.com", "ünï@example.com"],
])("an email with characters that need escaping is escaped: %s", async (email, escaped) => {
	const customer = await signedIn(email);
	const html = await pageFor(customer, "/");
	expect(html).toContain(`>${escaped}<`);
	expect(html).toBe((await pageFor(customer, "/?x")).replaceAll("?x=", ""));
});

test("after sign-out, the same cookie gets the guest's page", async () => {
	const customer = await signedIn("late@example.com");
	const cookie = customer.cookie("__Host-session") ?? "";
	expect(await pageFor(customer, "/")).toContain("late@example.com");
	await customer.signOut();
	customer.setCookie("__Host-session", cookie);
	expect(await pageFor(customer, "/")).toBe(await pageFor(new Customer(shop), "/"));
});

test("if the session cannot be read, the page has status 500 and contains no placeholder", async () => {
	const customer = await signedIn("down@example.com");
	await pageFor(customer, "/");
	await shop.control({ control: "shop_fault", path: "/", service: "d1", call: "every", fault: "before" });
	const response = await customer.fetch("/");
	expect(response.status).toBe(500);
	expect(await response.text()).not.toMatch(placeholder);
	expect(await pageFor(customer, "/")).toContain("down@example.com");
});
