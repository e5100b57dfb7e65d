import { expect, test } from "vitest";
import { book } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { openShop } from "../support/shop.ts";
import { closeAfterAll } from "./hooks.ts";

// The pages that an isolate renders once for all guests.

const shop = closeAfterAll(await openShop());

/** Returns a page without its nonce, which differs in each response. */
async function pageFor(customer: Customer, path: string): Promise<string> {
	const response = await customer.fetch(path);
	const [, nonce = "missing"] = /'nonce-([^']+)'/.exec(response.headers.get("Content-Security-Policy") ?? "") ?? [];
	const html = await response.text();
	expect(html).toContain(`nonce="${nonce}"`);
	return html.replaceAll(nonce, "");
}

test.each(["/", `/product/${book.id}`, "/login"])(
	"%s is cached for guests, and a customer's page contains only the customer's own email",
	async (path) => {
		const [guest, ada, grace] = [new Customer(shop), new Customer(shop), new Customer(shop)];
		await Promise.all([ada.createAccount(), grace.createAccount()]);
		for (const visitor of [guest, ada, guest, grace]) {
			const html = await pageFor(visitor, path);
			for (const { email } of [ada, grace]) expect(html.includes(email)).toBe(visitor.email === email);
			// a URL with a query is never cached
			expect(html).toBe((await pageFor(visitor, `${path}?x`)).replaceAll("?x=", ""));
		}
	},
);

test("after sign-out, the same cookie gets the guest's page", async () => {
	const customer = new Customer(shop);
	await customer.createAccount();
	const cookie = customer.cookie("__Host-session") ?? "";
	await customer.signOut();
	customer.setCookie("__Host-session", cookie);
	expect(await pageFor(customer, "/")).toBe(await pageFor(new Customer(shop), "/"));
});

test("a URL with a query has a page of its own, before and after the page without one is cached", async () => {
	const guest = new Customer(shop);
	const buttons = async (path: string) => (await pageFor(guest, path)).match(/<button[^>]*type="submit"[^>]*>[^<]*/g);
	const [create, signIn] = [await buttons("/login?new"), await buttons("/login")];
	expect(create).not.toEqual(signIn);
	expect(await buttons("/login?new")).toEqual(create);
	expect(await buttons("/login")).toEqual(signIn);
});
