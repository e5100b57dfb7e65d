import { afterAll, beforeAll, expect, test } from "vitest";
import { everythingIn, read, readProblem } from "../support/answer.ts";
import { openBareShop } from "../support/bare-shop.ts";
import { withinAMinute } from "../support/minute.ts";
import type { Shop } from "../support/shop.ts";
import { Visitor } from "../support/visitor.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openBareShop({ limited: true });
});
afterAll(() => shop?.close());

const oneOf = (count: number, status: number) => Array.from({ length: count }, () => status);

/** An answer, which has the security headers. */
async function answerTo(request: Promise<Response>) {
	const response = await request;
	return { status: response.status, retryAfter: response.headers.get("Retry-After"), page: await read(response) };
}

function atOnce(count: number, send: (index: number) => Promise<Response>) {
	return Promise.all(Array.from({ length: count }, (_, index) => answerTo(send(index))));
}

/** One after the other, since passwords are hashed in turn: on a busy machine the last of many would wait too long. */
async function inTurn(count: number, send: (index: number) => Promise<Response>) {
	const answers: Awaited<ReturnType<typeof answerTo>>[] = [];
	while (answers.length < count) answers.push(await answerTo(send(answers.length)));
	return answers;
}

const wrong = { password: "wrong horse battery", intent: "sign-in" };

test("the 11th sign-in of a minute to one account is 429 with Retry-After, wherever the tries come from", async () => {
	const { email, answers, other } = await withinAMinute(async () => {
		const { email } = new Visitor(shop);
		const spelt = (index: number) => (index % 2 ? email : email.toUpperCase());
		const answers = await inTurn(11, (index) =>
			new Visitor(shop).submit(index % 3 ? "/login" : "/login.data", { ...wrong, email: spelt(index) }),
		);
		const other = await new Visitor(shop).submit("/login", { ...wrong, email: `x${email}` });
		return { email, answers, other };
	});
	expect(answers.map(({ status }) => status).toSorted()).toEqual([...oneOf(10, 400), 429]);
	const refused = answers.find(({ status }) => status === 429);
	expect(refused?.retryAfter).toBe("60");
	expect(refused?.page).toContain("There were too many tries. Please try again in a minute.");
	expect(refused?.page.toLowerCase()).toContain(email.toLowerCase());
	expect(refused?.page).not.toContain(wrong.password);
	expect(other.status).toBe(400);
});

test("the right password does not help after ten wrong ones, and nobody else's account is affected", async () => {
	const { guessed, unaffected, status } = await withinAMinute(async () => {
		const [guessed, unaffected] = [new Visitor(shop), new Visitor(shop)];
		await Promise.all([guessed.createAccount(), unaffected.createAccount()]);
		await inTurn(10, () => new Visitor(shop).submit("/login", { ...wrong, email: guessed.email }));
		const { email, password } = guessed;
		const { status } = await new Visitor(shop).submit("/login", { email, password, intent: "sign-in" });
		return { guessed, unaffected, status };
	});
	expect(status).toBe(429);
	expect((await unaffected.signIn()).status).toBe(302);
	// who was signed in before stays so
	expect(await read(await guessed.fetch("/"))).toContain(`Hello ${guessed.email}`);
});

test("the 31st try of a minute from one address is 429, at whatever account and by either button", async () => {
	const answers = await withinAMinute(() => {
		const thief = new Visitor(shop);
		return atOnce(31, (index) => {
			// few passwords are hashed, since a hash takes its time: what creating refuses costs none, but a try it was
			const signsIn = index % 10 === 0;
			const intent = signsIn ? "sign-in" : "create-account";
			const password = signsIn ? wrong.password : "password";
			return thief.submit("/login", { email: `${index}-${crypto.randomUUID()}@example.com`, password, intent });
		});
	});
	expect(answers.map(({ status }) => status).toSorted()).toEqual([...oneOf(30, 400), 429]);
	expect(answers.find(({ status }) => status === 429)?.retryAfter).toBe("60");
});

test("the 31st payment of a minute from one address is 429, and nobody else's", async () => {
	const { answers, before, after, other } = await withinAMinute(async () => {
		const visitor = new Visitor(shop);
		const create = () => visitor.fetch("/payments/create?total=1196", { method: "POST" });
		const answers = await atOnce(30, create);
		const before = await everythingIn(shop);
		const response = await create();
		const after = { status: response.status, retryAfter: response.headers.get("Retry-After") };
		expect(await readProblem(response)).toBe("too_many_requests");
		expect(await everythingIn(shop)).toEqual(before);
		const other = await new Visitor(shop).fetch("/payments/create?total=1196", { method: "POST" });
		return { answers, before, after, other };
	});
	expect(answers.map(({ status }) => status)).toEqual(oneOf(30, 200));
	expect(after).toEqual({ status: 429, retryAfter: "60" });
	expect(other.status).toBe(200);
	expect(await everythingIn(shop)).toEqual(before);
});

test.each(["/payments/place", "/payments/settle"])("the 31st %s of a minute from one address is 429", async (path) => {
	const answers = await withinAMinute(() => {
		const visitor = new Visitor(shop);
		return atOnce(31, () => visitor.postJson(path, {}));
	});
	expect(answers.map(({ status }) => status).toSorted()).toEqual([...oneOf(30, 400), 429]);
});

test("Stripe's webhooks are not limited", async () => {
	const stripe = new Visitor(shop);
	const answers = await atOnce(40, () => stripe.fetch("/stripe/webhook", { method: "POST", body: "{}" }));
	expect(answers.map(({ status }) => status)).toEqual(oneOf(40, 400));
});

test("the log counts what was refused, without saying of whom", () => {
	expect(shop.logs()).toContain('{"event":"rate_limited","per":"address"}');
	expect(shop.logs()).toContain('{"event":"rate_limited","per":"account"}');
	expect(shop.logs()).not.toMatch(/rate_limit[^\n]*(@|10\.\d)/);
});
