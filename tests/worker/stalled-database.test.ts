import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { deliveryAddress, homeHeading } from "#app/brand.ts";
import { book } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { frameOf } from "../support/page.ts";
import { read } from "../support/response.ts";
import { openShop } from "../support/shop.ts";
import { newCustomer, openFileShop } from "./setup.ts";

const shop = await openFileShop();
const customer = await newCustomer(shop);
afterEach(() => shop.control({ control: "calm" }));

/** Time after which the isolate renews its catalog, in seconds. */
const freshness = 50;
const faults = ["never", "before"] as const;
/** The pages that show no order, and what the server renders on them. */
const pages = [
	["/", homeHeading],
	[`/product/${book.id}`, book.title],
	["/checkout", "Your basket"],
	["/payment", deliveryAddress[0]],
	["/login", "Create account"],
	["/nothing", book.title],
] as const;

const maxFaults = 1000;

/** Makes D1 stall ("never") or fail ("before") in the next requests. */
async function stall(fault: (typeof faults)[number], of = shop): Promise<void> {
	await of.control({ control: "timeouts", timeouts: { read: 50 } });
	await of.control({ control: "shop_fault", service: "d1", call: "every", fault, times: maxFaults });
}

const statusOf = (path: string) => (path === "/nothing" ? 404 : 200);

test.each(faults)("a guest's pages show the isolate's catalog, and one request renews it (D1: %s)", async (fault) => {
	const guest = new Customer(shop);
	await guest.page("/");
	await shop.advance(freshness + 10);
	await stall(fault);
	const paths = [...pages.map(([path]) => path), "/_.data", `/product/${book.id}.data`, "/sitemap.xml"];
	const responses = await Promise.all(paths.map((path) => guest.fetch(path)));
	expect(responses.map(({ status }) => status)).toEqual(paths.map(statusOf));
	const texts = await Promise.all(responses.map(read));
	for (const [index, [, text]] of pages.entries()) expect(texts[index]).toContain(text);
	const [left] = (await shop.emulator()).shopFaults;
	expect(left?.times).toBe(maxFaults - 1);
});

test("the catalog is renewed when D1 responds again", async () => {
	const guest = new Customer(shop);
	const setTitle = shop.d1.prepare(`update products set title = ? where id = '${book.id}'`);
	const expectTitle = async (title: string) => {
		await shop.advance(freshness);
		expect(await guest.page("/_.data")).toContain(title);
	};
	await expectTitle(book.title);
	await stall("never");
	await setTitle.bind("A new title").run();
	await expectTitle(book.title);
	await shop.control({ control: "calm" });
	await expectTitle("A new title");
	await setTitle.bind(book.title).run();
	await expectTitle(book.title);
});

/** Makes each call to D1 take longer than a page waits for it. */
async function slowDown(of = shop): Promise<void> {
	await of.control({ control: "timeouts", timeouts: { read: 50 } });
	await of.control({ control: "d1_latency", milliseconds: 400 });
}

/** Opens a shop whose isolate has no catalog. */
async function openCold() {
	const cold = await openShop();
	onTestFinished(() => cold.close());
	return cold;
}

test("a catalog that arrives after its time limit is used by later pages", async () => {
	const cold = await openCold();
	await slowDown(cold);
	expect((await cold.fetch("/")).status).toBe(503);
	await vi.waitFor(async () => expect((await cold.fetch("/")).status).toBe(200), 10_000);
	await cold.d1.prepare(`update products set title = 'A new title' where id = '${book.id}'`).run();
	await cold.advance(freshness);
	await vi.waitFor(async () => expect(await read(await cold.fetch("/_.data"))).toContain("A new title"), 10_000);
});

test("an isolate without a catalog returns the 503 page while D1 fails, also for data", async () => {
	const cold = await openCold();
	await stall("before", cold);
	const response = await cold.fetch("/");
	const html = await response.text();
	expect(response.status).toBe(503);
	expect(html).toContain("<h1>Something&#x27;s wrong on our end</h1>");
	expect(html).toContain(">Try again</button>");
	expect(frameOf(html)).toEqual({ header: true, footerBar: true });
	expect((await cold.fetch("/_.data")).status).toBe(503);
	await cold.control({ control: "calm" });
	expect((await cold.fetch("/")).status).toBe(200);
});

test.each([...faults, "late"] as const)("a customer's pages open, but name no one (D1: %s)", async (fault) => {
	// in the second half of the session, which a page would extend
	await shop.d1.prepare("update sessions set expires_at = unixepoch() + 6000").run();
	if (fault === "late") await slowDown();
	else await stall(fault);
	for (const [path, text] of pages) {
		const response = await customer.fetch(path);
		const html = await response.text();
		expect([path, response.status]).toEqual([path, statusOf(path)]);
		expect(html).toContain(text);
		expect(html).not.toContain(customer.email);
		expect(html, path).not.toMatch(/>Guest<|"\/login">Sign In<|>Sign Out</);
		expect(response.headers.get("Cache-Control")).toBe("no-store");
		expect(response.headers.getSetCookie().join()).not.toContain(sessionCookieName);
		// the page is not cached for guests
		expect(await new Customer(shop).page(path)).not.toMatch(/>…</);
	}
});
