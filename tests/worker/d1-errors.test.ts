import { expect, test } from "vitest";
import { unavailable } from "#app/ui/unavailable.ts";
import { book } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { newCustomer, openCalmShop } from "./setup.ts";

// One error of D1 at each call of each page and form. After an error that D1's documentation advises to retry, the shopper
// notices nothing. After any other, the response says that the shop has failed, and the second attempt succeeds.

const shop = await openCalmShop();

const transient = "Cannot resolve D1 DB due to transient issue on remote node.";
const overloaded = "D1 DB is overloaded. Requests queued for too long.";

/** Prepares a request. Returns the function that sends it. */
type Prepare = () => Promise<() => Promise<Response>>;

interface Sent {
	path: string;
	/** The number of its calls to D1. */
	calls: number;
	/** The calls whose failure changes nothing: the session is read again at the primary, the previous session is only read
	 *  to disconnect its feed, and a guest's orders are claimed by the next request. */
	unnoticed?: number[];
	status: number;
	/** The status of a failure; by default, 503. */
	failed?: number;
	/** The words of a failure. */
	failure: string;
	prepare: Prepare;
}

const byCustomer =
	(send: (customer: Customer) => Promise<Response>): Prepare =>
	async () => {
		const customer = await newCustomer(shop);
		return () => send(customer);
	};

const orders = { path: "/orders", calls: 2, unnoticed: [2], status: 200, failure: unavailable };
const login = { path: "/login", status: 302, failure: "We couldn't sign you in. Please try again." };

const requests: Record<string, Sent> = {
	"/orders": { ...orders, prepare: byCustomer((customer) => customer.fetch("/orders")) },
	"/orders with a guest's order to claim": {
		...{ ...orders, calls: 4, unnoticed: [2, 3] },
		async prepare() {
			const [guest, customer] = [new Customer(shop), await newCustomer(shop)];
			await guest.fulfill(await guest.pay([book.id]));
			customer.addGuests(...guest.guestTokens);
			return () => customer.fetch("/orders");
		},
	},
	"/orders by a link": { ...orders, prepare: byCustomer((customer) => customer.fetch("/orders.data")) },
	"Sign In": { ...login, calls: 4, unnoticed: [1], prepare: byCustomer((customer) => customer.signIn()) },
	"Create account": {
		...{ ...login, calls: 3 },
		async prepare() {
			const customer = new Customer(shop);
			return () => customer.createAccount();
		},
	},
	"Sign Out": {
		...{ path: "/logout", calls: 2, status: 202, failure: unavailable },
		prepare: byCustomer((customer) => customer.submit("/logout.data", {})),
	},
	"Buy Now": {
		...{ path: "/payments/place", calls: 3, status: 200, failure: "We can't take payments right now." },
		async prepare() {
			const customer = await newCustomer(shop);
			const clientSecret = await customer.create(book.priceCents);
			return () => customer.place(clientSecret, [book.id]);
		},
	},
	"the return from a payment": {
		...{ path: "/payments/fulfill", calls: 3, status: 200, failed: 202, failure: '"checking"' },
		async prepare() {
			const customer = await newCustomer(shop);
			const clientSecret = await customer.pay([book.id]);
			return () => customer.fulfill(clientSecret);
		},
	},
};

/** Sends a request several times, each time while another one of its calls to D1 fails. */
async function failEach({ path, calls, prepare }: Sent, message: string, check: Check) {
	for (let call = 1; call <= calls; call++) {
		const send = await prepare();
		await shop.control({ control: "shop_fault", path, service: "d1", call, fault: "before", message });
		const response = await send();
		expect((await shop.emulator()).shopFaults).toEqual([]);
		await check(response, call, send);
	}
}
type Check = (response: Response, call: number, send: () => Promise<Response>) => Promise<void>;

test.each(Object.entries(requests))("%s succeeds despite a transient error of D1", async (_, sent) => {
	await failEach(sent, transient, async ({ status }, call) => expect([call, status]).toEqual([call, sent.status]));
});

test.each(Object.entries(requests))(
	"%s reports any other error of D1, and the next attempt succeeds",
	async (_, sent) => {
		const { unnoticed, status, failed = 503, failure } = sent;
		await failEach(sent, overloaded, async (response, call, send) => {
			if (!unnoticed?.includes(call)) {
				expect([call, response.status]).toEqual([call, failed]);
				expect((await response.text()).replaceAll("&#x27;", "'")).toContain(failure);
			}
			expect([call, (await send()).status]).toEqual([call, status]);
		});
	},
);
