import { afterAll, beforeEach } from "vitest";
import { Customer } from "../support/customer.ts";
import type { Shop } from "../support/shop.ts";

/** Closes a shop after the tests of the file that opened it. Returns the shop. */
export function closeAfterAll<Opened extends { close(): Promise<void> }>(shop: Opened): Opened {
	afterAll(() => shop.close());
	return shop;
}

/** Resets the shop's faults and timeouts before each test, and drops its webhooks, so that payments are fulfilled only
 *  by the requests of the test. Returns the shop. */
export function calmBeforeEach(shop: Shop): Shop {
	beforeEach(async () => {
		await shop.control({ control: "calm" });
		await shop.disableWebhooks();
	});
	return shop;
}

/** Creates an account, and returns its customer. */
export async function newCustomer(shop: Shop): Promise<Customer> {
	const customer = new Customer(shop);
	await customer.createAccount();
	return customer;
}
