import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { openPrimary } from "#app/http/databases.server.ts";
import { formatMoney } from "#app/ui/money.ts";
import { eraseAccount, findAccount, isPaidBy, readOrders } from "../../tools/orders/orders.ts";
import { book, mixer } from "../support/catalogue.ts";
import { Customer, idOf, orderOf } from "../support/customer.ts";
import { dumpTables, read } from "../support/response.ts";
import { newCustomer, openCalmShop } from "./setup.ts";

// `npm run orders`. What its functions return is in tools/orders/orders.test.ts.

const shop = await openCalmShop();
const primary = openPrimary(shop.d1);

/** Pays for a book and a mixer. Returns the payment's id. */
async function buy(customer: Customer, card?: string): Promise<string> {
	const clientSecret = await customer.pay([book.id, mixer.id], card);
	expect((await customer.fulfill(clientSecret)).status).toBe(200);
	return idOf(clientSecret);
}

test("an erased customer is a guest at the next request, cannot sign in, and is in no table and no line of the log", async () => {
	const [customer, other] = [await newCustomer(shop), await newCustomer(shop)];
	const { email } = customer;
	const [paid, placed] = [await buy(customer), idOf(await customer.placeOrder([book.id]))];
	const [, name = ""] = [await buy(other), other.email];
	expect(await read(await customer.fetch("/orders"))).toContain(email);
	const token = customer.cookie(sessionCookieName) ?? "";
	const user = await shop.d1.prepare("select * from users where email = ?").bind(email).first();
	const secrets = [email, user?.["password_hash"], user?.["id"]].map(String);

	const account = await findAccount(primary, email);
	if (!account) throw new Error("The account is not stored.");
	const kept = await eraseAccount(primary, account);
	expect(kept.map(({ paymentIntentId }) => paymentIntentId).toSorted()).toEqual([paid, placed].toSorted());

	const guest = await customer.fetch("/orders");
	expect(guest.headers.getSetCookie().join()).toContain(`${sessionCookieName}=; Max-Age=0`);
	const page = await read(guest);
	customer.setCookie(sessionCookieName, token);
	for (const body of [page, await read(await customer.fetch("/"))]) {
		expect(body).toContain("Hello Guest");
		expect(body).not.toContain(email);
	}
	expect(page).not.toContain(paid);
	expect((await customer.signIn()).status).toBe(400);
	expect(await read(await other.fetch("/"))).toContain(`Hello ${name}`);

	expect(await orderOf(shop, paid)).toMatchObject({ user_id: null, guest_token_hash: null, status: "paid" });
	const [stored, log] = [JSON.stringify(await dumpTables(shop)), shop.logs()];
	for (const secret of secrets) {
		expect(stored).not.toContain(secret);
		expect(log).not.toContain(secret);
	}
});

test("D1 accepts the ids of more payments than a query may have parameters", async () => {
	const id = await buy(new Customer(shop));
	const ids = [...Array.from({ length: 200 }, (_, index) => `pi_${index}`), id];
	const { orders } = await readOrders(primary, isPaidBy(ids));
	expect(orders).toMatchObject([{ paymentIntentId: id, owner: "guest" }]);
});

// a folder without the Stripe keys that .dev.vars may have
const folder = mkdtempSync(join(tmpdir(), "half-dozen-orders-"));
afterAll(() => rmSync(folder, { recursive: true }));
for (const name of readdirSync(".")) {
	if (name !== ".wrangler" && name !== ".dev.vars") symlinkSync(resolve(name), join(folder, name));
}
const state = join(folder, "state");

/** Runs a script in this folder, with `typed` as its input. */
async function run(script: string, args: string[], typed = "") {
	const env = { ...process.env, PATH: resolve("node_modules/.bin") + delimiter + process.env["PATH"] };
	const child = spawn("node", [script, ...args, "--persist-to", state], { cwd: folder, env });
	child.stdin.end(typed);
	const outputs = [text(child.stdout), text(child.stderr), once(child, "close")] as const;
	const [stdout, stderr, [code]] = await Promise.all(outputs);
	return { code, stdout, stderr };
}

/** Runs the command with the shop's emulator. */
const command = (args: string[], typed?: string) =>
	run("tools/orders/main.ts", [...args, "--port", shop.url.port], typed);

/** Creates a local database with the shop's accounts and orders. */
async function copyOrders(): Promise<void> {
	expect(await run("tools/scripts/migrate.ts", [])).toMatchObject({ code: 0 });
	const files = globSync(join(state, "v3/d1/*/*.sqlite")).filter((name) => !name.endsWith("metadata.sqlite"));
	expect(files).toHaveLength(1);
	const database = new DatabaseSync(files.join());
	const tables = await dumpTables(shop);
	for (const table of ["users", "sessions", "orders", "order_items"]) {
		for (const row of tables[table] ?? []) {
			const values = JSON.stringify(Object.values(Object(row)));
			const columns = Object.keys(Object(row)).map((_, index) => `? ->> ${index}`);
			database.prepare(`insert into ${table} values (${columns})`).run(...columns.map(() => values));
		}
	}
	database.close();
}

test("the command says what to do without an argument and for an empty database", async () => {
	expect(await command(["erase"])).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Usage: npm run orders/) });
	const { stderr } = await command(["find", "ada@example.com"]);
	expect(stderr).toBe(`Database: ${state}\nThis database is empty. Run \`npm start\` first.\n`);
});

test("the command finds, exports and erases a customer, and adds up a month", async () => {
	const [customer, guest] = [await newCustomer(shop), new Customer(shop)];
	const { email } = customer;
	const [paid, byGuest] = [await buy(customer, "pm_card_discover"), await buy(guest, "pm_card_discover")];
	await copyOrders();
	const total = formatMoney(book.priceCents + mixer.priceCents);
	const link = (id: string) => `http://localhost:${shop.url.port}/stripe-emulator/#${id}`;
	const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

	const byCard = await command(["find", "1117"]);
	const [head, ...found] = cellsOf(byCard.stdout);
	expect(head).toEqual(["payment", "created", "status", "amount", "refunded", "owner", "at Stripe"]);
	const row = (id: string, owner: string) => [id, time, "paid", total, formatMoney(0), owner, link(id)];
	expect(found).toEqual(expect.arrayContaining([row(paid, email), row(byGuest, "guest")]));
	const named = `Database: ${state}\n`;
	expect([byCard.code, byCard.stderr, found.length]).toEqual([0, named, 2]);

	const { code, stdout } = await command(["export", `  ${email.toUpperCase()}`]);
	const exported = { account: { email, createdAt: time }, orders: [{ paymentIntentId: paid, placedAt: time }] };
	expect([code, JSON.parse(stdout)]).toMatchObject([0, { ...exported, stripe: { payments: [link(paid)] } }]);

	const refused = await command(["erase", email], "someone@example.com\n");
	expect(refused).toMatchObject({ code: 1, stderr: `${named}That is another email. Nothing was changed.\n` });
	const erased = await command(["erase", email], `${email}\n`);
	expect(erased).toMatchObject({ code: 0, stderr: named, stdout: expect.stringContaining(`\n${link(paid)}\n`) });

	const items = [book, mixer].map(({ title, priceCents }) => [
		...["1 ×", expect.stringContaining(title)],
		formatMoney(priceCents),
	]);
	for (const name of [paid, paid.slice(-8)]) {
		const { stdout } = await command(["find", name]);
		expect(cellsOf(stdout).slice(1), name).toEqual([row(paid, "none"), ...items]);
	}

	const revenue = /^\d{4}-\d\d \(UTC\), from D1.*\ncurrency +orders +gross +refunds +net\n[a-z]{3} +[1-9]/;
	expect((await command(["revenue"])).stdout).toMatch(revenue);
});

/** Splits what a command prints into lines of cells. */
function cellsOf(printed: string): string[][] {
	return Array.from(printed.trim().split("\n"), (line) => line.split(/ {2,}/));
}
