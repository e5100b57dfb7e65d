import { afterAll, beforeEach } from "vitest";
import { Customer } from "../support/customer.ts";
import { openShop, type Shop } from "../support/shop.ts";

/** Closes a shop after the tests of the file that opened it. Returns the shop. */
export function closeAfterAll<Opened extends { close(): Promise<void> }>(shop: Opened): Opened {
	afterAll(() => shop.close());
	return shop;
}

/** Opens a shop for the tests of a file. */
export const openFileShop = async (...options: Parameters<typeof openShop>) =>
	closeAfterAll(await openShop(...options));

/** Opens a shop for the tests of a file. Before each test, resets its faults and timeouts, and drops its webhooks, so that
 *  payments are fulfilled only by the requests of the test. */
export async function openCalmShop(): Promise<Shop> {
	const shop = await openFileShop();
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
