import { expect, test } from "vitest";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { book } from "../support/catalogue.ts";
import { Customer, idOf, orderOf } from "../support/customer.ts";
import { dumpTables, read } from "../support/response.ts";
import { newCustomer, openFileShop } from "./setup.ts";

const shop = await openFileShop();

const productPage = `/product/${book.id}`;

async function usersNamed(email: string) {
	const { results } = await shop.d1.prepare("select * from users where email = ?").bind(email).all();
	return results;
}

const submit = (intent: string, email: string, password: string) =>
	new Customer(shop).submit("/login", { email, password, intent });

test("the form signs in if a browser or a proxy sends it with Origin: null from the shop's own page", async () => {
	const { email } = await newCustomer(shop);
	const headers = { Origin: "null", "Sec-Fetch-Site": "same-origin" };
	const body = new URLSearchParams({ email, password: "wrong password" });
	const response = await new Customer(shop).fetch("/login", { method: "POST", headers, body });
	expect(response.status).toBe(400);
	expect(await read(response)).toContain("Email or password is incorrect.");
});

test("Create account stores the user, and like Sign In signs them in and redirects to /", async () => {
	const visitor = new Customer(shop);
	const response = await visitor.createAccount();
	await read(response);
	expect([response.status, response.headers.get("Location")]).toEqual([302, "/"]);
	const generated = { id: expect.stringMatching(/^\w{16}$/), password_hash: expect.stringMatching(/^scrypt\$/) };
	expect(await usersNamed(visitor.email)).toEqual([
		{ ...generated, email: visitor.email, created_at: expect.any(Number) },
	]);
	expect(await read(await visitor.fetch("/"))).toContain(`Hello ${visitor.email}`);
	await visitor.signOut();
	const again = await visitor.signIn();
	expect([again.status, again.headers.get("Location")]).toEqual([302, "/"]);
	expect(await read(await visitor.fetch("/"))).toContain(`Hello ${visitor.email}`);
});

test.each([
	["NFC", "NFD"],
	["NFD", "NFC"],
])("an account that was created with a password in %s signs in with the same password in %s", async (here, there) => {
	const password = "Pássword 비밀번호 ủa";
	const { email } = new Customer(shop);
	for (const [intent, form] of [
		["create-account", here],
		["sign-in", there],
		["create-account", there],
	] as const) {
		const response = await submit(intent, email, password.normalize(form));
		expect([response.status, response.headers.get("Location")]).toEqual([302, "/"]);
		await read(response);
	}
});

test("in a browser that keeps no cookies, Sign In and Create account return 400 with the reason and write nothing", async () => {
	const before = await dumpTables(shop);
	const visitor = new Customer(shop);
	visitor.keepsCookies = false;
	for (const send of [() => visitor.createAccount(), () => visitor.signIn()]) {
		const response = await send();
		const page = await read(response);
		expect(response.status).toBe(400);
		expect(page).toMatch(/id="refusal">Your browser keeps no cookies for this shop[^<]+continue as a guest/);
		expect(page).toContain(visitor.email);
	}
	expect(await dumpTables(shop)).toEqual(before);
	// a browser that has lost its cookies gets one with the reason
	visitor.keepsCookies = true;
	expect((await visitor.createAccount()).status).toBe(302);
});

test("an email that contains HTML is escaped on every page and in its inline data", async () => {
	const visitor = new Customer(shop);
	const fields = { password: visitor.password, intent: "create-account" };
	await visitor.submit("/login", { email: `</script><script>alert(1)</script>${visitor.email}`, ...fields });
	for (const path of ["/", "/checkout", "/payment", "/orders", `/product/${book.id}`, "/nowhere"]) {
		const page = await read(await visitor.fetch(path));
		expect(page).toContain("Sign Out");
		expect(page).toContain("Hello &lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
		expect(page).not.toContain("<script>alert");
	}
});

test.each([
	[`SHOP${productPage}`, productPage],
	["https://evil.test/product/1", "/"],
	["x", "/"],
	["SHOP/\\/evil.test/x", "/evil.test/x"],
])("Sign Out with the Referer %o redirects to %s, within the shop", async (referrer, path) => {
	const headers = { Referer: referrer.replace("SHOP", shop.url.origin) };
	const response = await new Customer(shop).fetch("/logout", { method: "POST", headers });
	expect([response.status, response.headers.get("Location")]).toEqual([302, path]);
});

test("Sign Out ends the session if the guest's orders cannot be claimed, and the next sign-in claims them", async () => {
	const [guest, ada] = [new Customer(shop), await newCustomer(shop)];
	const clientSecret = await guest.placeOrder([book.id]);
	const tokens = guest.guestTokens;
	ada.addGuests(...tokens);
	// the claim, and its retry
	for (const call of [2, 3]) {
		await shop.control({ control: "shop_fault", path: "/logout", service: "d1", call, fault: "before" });
	}
	expect((await ada.signOut()).status).toBe(302);
	expect(await read(await ada.fetch("/"))).toContain("Hello Guest");
	await ada.signIn();
	expect(await orderOf(shop, clientSecret)).toMatchObject({ user_id: await ada.userId() });
	expect(ada.guestTokens).toEqual(tokens);
	await ada.signOut();
	expect(ada.guestTokens).not.toEqual(tokens);
});

test.each(["/orders", "/orders.data"])("GET %s lists the guest's order that it claims", async (path) => {
	const [guest, ada] = [new Customer(shop), await newCustomer(shop)];
	const clientSecret = await guest.pay([book.id]);
	await guest.fulfill(clientSecret);
	ada.addGuests(...guest.guestTokens);
	expect(await ada.page(path)).toContain(idOf(clientSecret));
	expect(await orderOf(shop, clientSecret)).toMatchObject({ status: "paid", user_id: await ada.userId() });
});

test("POST /orders deletes a guest's tokens, and the next account does not get the order", async () => {
	// with the token of a session that has ended
	const guest = new Customer(shop, { [sessionCookieName]: "a".repeat(40) });
	const clientSecret = await guest.pay([book.id]);
	await guest.fulfill(clientSecret);
	expect((await guest.submit("/orders.data", {})).status).toBe(200);
	expect(guest.guestTokens).toEqual([]);
	await guest.createAccount();
	expect(await guest.page("/orders")).toContain("You haven&#x27;t ordered anything yet.");
	expect(await orderOf(shop, clientSecret)).toMatchObject({ status: "paid", user_id: null });
});

test("POST /orders with a session keeps the guest's tokens", async () => {
	const ada = (await newCustomer(shop)).addGuests("a".repeat(40));
	await ada.submit("/orders.data", {});
	expect(ada.guestTokens).toEqual(["a".repeat(40)]);
});

test("Sign Out without a session sets no guest cookie, and the guest's order can still be claimed", async () => {
	const guest = new Customer(shop);
	const clientSecret = await guest.placeOrder([book.id]);
	expect((await guest.signOut()).headers.getSetCookie().join()).not.toContain("guest");
	await guest.createAccount();
	expect(await orderOf(shop, clientSecret)).toMatchObject({ user_id: await guest.userId() });
});

test("an email in upper case, in another Unicode form and between spaces matches the same account", async () => {
	// as Chromium sends the domain bücher.example; other browsers send it as typed
	const email = `ren\u00e9-${crypto.randomUUID()}@xn--bcher-kva.example`;
	const respelled = ` ${email.replace("xn--bcher-kva", "b\u00fccher").toUpperCase().normalize("NFD")} `;
	const password = "correct horse battery";
	expect((await submit("create-account", email, password)).status).toBe(302);
	const again = await submit("create-account", respelled, `${password}!`);
	expect(again.status).toBe(400);
	expect(again.headers.getSetCookie().join()).not.toContain(sessionCookieName);
	expect(await read(again)).toContain("An account with this email already exists.");
	expect((await submit("sign-in", respelled, password)).status).toBe(302);
	expect(await usersNamed(email)).toHaveLength(1);
});

test("identical Create account requests, concurrent or repeated, create one user and all sign in", async () => {
	const { email, password } = new Customer(shop);
	const send = async () => {
		const response = await submit("create-account", email, password);
		await read(response);
		const [cookie] = response.headers.getSetCookie().join().split("=");
		return [response.status, response.headers.get("Location"), cookie];
	};
	const signedIn = [302, "/", sessionCookieName];
	expect(await Promise.all([send(), send(), send()])).toEqual([signedIn, signedIn, signedIn]);
	expect(await send()).toEqual(signedIn);
	expect(await usersNamed(email)).toHaveLength(1);
});

test("an unknown email and a wrong password return identical responses, apart from the email", async () => {
	const visitor = await newCustomer(shop);
	const [known, unknown] = await Promise.all(
		[visitor.email, `x${visitor.email}`].map(async (email) => {
			const response = await submit("sign-in", email, "wrong horse battery");
			// matches nonces, D1 bookmarks and the durations in Server-Timing
			const chance = /(?<=nonce(-|="))[a-z2-7]{32}|[\da-f]{8}-[\da-f-]{27,}|(?<=dur=)\d+/g;
			const body = (await read(response)).replaceAll(email, "EMAIL").replaceAll(chance, "RANDOM");
			const headers = [...response.headers].map(([name, value]) => [name, value.replaceAll(chance, "RANDOM")]);
			return { status: response.status, body, headers };
		}),
	);
	expect(known).toEqual(unknown);
	expect(known?.body).toContain("Email or password is incorrect.");
	expect(known?.status).toBe(400);
});
