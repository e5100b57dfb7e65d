import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { environment } from "../../tools/scripts/run.ts";
import { checks } from "../../tools/smoke/checks.ts";
import { openRehearsal } from "../../tools/smoke/rehearsal.ts";
import { openSmoke } from "../../tools/smoke/smoke.ts";
import { book } from "../support/catalogue.ts";
import { Customer, statusOf } from "../support/customer.ts";
import { openDeployment, sentinel } from "../support/deployment.ts";
import { between, cards, cardsOf } from "../support/page.ts";
import { sendRaw } from "../support/raw-request.ts";
import { read, readProblem } from "../support/response.ts";
import { openShop } from "../support/shop.ts";
import { closeAfterAll } from "./setup.ts";

// The deployed environments: the production build, and the local build with the demo's variables, which is the demo.

const { name: demoName, vars } = readConfig({ config: "wrangler.toml", env: "demo" }, { hideWarnings: true });
const demoHost = String(vars["STRIPE_EMULATOR_HOSTS"]);

const production = closeAfterAll(await openDeployment());
const demo = closeAfterAll(
	await openShop({ secrets: { DEMO: String(vars["DEMO"]), STRIPE_EMULATOR_HOSTS: demoHost } }),
);

const rehearsal = closeAfterAll(await openRehearsal(production.folder));
const printed: string[] = [];
const smoke = closeAfterAll(await openSmoke(rehearsal, (line) => void printed.push(line)));

/** Runs checks in the rehearsal. Returns the printed lines. */
async function runChecks(...names: string[]): Promise<string[]> {
	for (const [name, check] of Object.entries(checks)) if (names.includes(name)) await smoke.run(name, check);
	return printed.splice(0);
}

/** Returns the uploaded files whose path or text matches. */
function uploadedWith(words: RegExp): string[] {
	const files = [...production.uploaded];
	expect(files.length).toBeGreaterThan(20);
	return files.filter(([path, text]) => words.test(`${path}\n${text}`)).map(([path]) => path);
}

test("the production upload contains no emulator, no values of .dev.vars and no source maps", () => {
	const unwanted = `emulator|^.*\\.dev\\.vars\n|${sentinel}|^.*\\.map\n|sourceMappingURL|sourcesContent`;
	expect(uploadedWith(new RegExp(unwanted, "i"))).toEqual([]);
	expect(production.dryRun).not.toMatch(new RegExp(`emulator|${sentinel}|warning`, "i"));
	const { d1_databases } = readConfig({ config: "wrangler.toml", env: "production" }, { hideWarnings: true });
	expect(production.dryRun).toContain(`env.DB (${d1_databases[0]?.database_name})`);
});

test("the production Worker is smaller than 280 kB after gzip", () => {
	const modules = [...production.uploaded].filter(([path]) => /^uploaded\/.*\.js$/.test(path)).map(([, text]) => text);
	expect(modules.length).toBeGreaterThan(0);
	expect(gzipSync(Buffer.from(modules.join(""), "latin1")).length).toBeLessThan(280_000);
});

test("every check of smoke passes in a rehearsal of production", async () => {
	const names = Object.keys(checks);
	expect(await runChecks(...names)).toEqual(names.map((name) => expect.stringContaining(`passed   ${name}: expected`)));
});

test("smoke names a lost header and a host that the policy lacks, and what to do", async () => {
	await rehearsal.make("no _headers");
	const lost = /^failed {3}headers: .* saw Cache-Control of .*: public, max-age=0\. Deploy with .*public\/_headers/;
	expect(await runChecks("headers")).toEqual([expect.stringMatching(lost)]);
	await rehearsal.make("no hooks.stripe.com");
	const refused = "frame-src of the Content-Security-Policy refused https://hooks.stripe.com";
	expect(await runChecks("3-d-secure", "policy")).toEqual([
		expect.stringContaining(`saw that ${refused}. If it is Stripe's, add https://hooks.stripe.com to app/payments/`),
		expect.stringMatching(/^failed {3}policy: .* saw frame-src refused https:\/\/hooks.stripe.com/),
	]);
	await rehearsal.make(null);
});

test("smoke names a wrong webhook secret, a webhook that is not sent and missing keys, and what to do", async () => {
	smoke.webhookTimeout = 3000;
	await rehearsal.control({ control: "webhooks", tampering: "signature" });
	expect(await runChecks("webhook")).toEqual([
		expect.stringMatching(/^failed {3}webhook: .* saw no such order .* signing secret with STRIPE_WEBHOOK_SECRET/),
	]);
	await rehearsal.control({ control: "webhooks", mode: "drop" });
	expect(await runChecks("webhook")).toEqual([
		expect.stringMatching(/^failed {3}webhook: .* saw a disabled endpoint\. Enable .*\/stripe\/webhook at Stripe/),
	]);
	await rehearsal.make("no keys");
	expect(await runChecks("pay")).toEqual([
		expect.stringMatching(/^failed {3}pay: .* saw that the shop can't take payments\. Put the three keys/),
	]);
});

test("the production Worker starts, serves the products and shows no demo notice", async () => {
	for (const path of ["/", "/login", "/payment", "/nowhere"]) {
		const html = await read(await new Customer(production.shop).fetch(path));
		expect(html).toContain("<main");
		expect(html).not.toMatch(/class="notice"|no card is charged/i);
		if (path === "/") expect(cardsOf(html)).toEqual(cards);
	}
});

test("the production Worker stores password hashes at full cost, even if PASSWORD_COST is set", async () => {
	const customer = new Customer(production.shop);
	await read(await customer.createAccount());
	const hash = production.shop.d1.prepare("select password_hash from users where email = ?").bind(customer.email);
	expect(await hash.first("password_hash")).toMatch(/^scrypt\$16384\$8\$5\$/);
});

test("without keys, the production Worker takes no payments and logs the names of the three variables", async () => {
	const visitor = new Customer(production.shop);
	const create = (total: number) => visitor.fetch(`/payments/create?total=${total}`, { method: "POST" });
	const response = await create(book.priceCents);
	expect([response.status, await response.json()]).toMatchObject([503, { error: { code: "unavailable" } }]);
	for (const name of ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"]) {
		expect(production.shop.logs()).toContain(name);
	}
	expect(await readProblem(await create(49))).toBe("total_invalid");
	expect(await read(await visitor.fetch("/payment"))).toContain("We can&#x27;t take payments right now.");
});

test("wrangler deploy and wrangler versions upload upload nothing, and name npm run deploy", async () => {
	const path = resolve("node_modules/.bin/wrangler");
	const upload = async (command: string) => {
		const args = [...command.split(" "), "--dry-run"];
		const error: unknown = await promisify(execFile)(path, args, { env: environment }).catch((error) => error);
		const { code, stdout, stderr } = Object(error);
		expect(stdout + stderr).toContain("Run `npm run deploy`, or `npm run deploy:demo`");
		expect(stdout + stderr).not.toMatch(/Total Upload|ChildProcess/);
		expect(code).toBe(1);
	};
	const uploads = ["deploy", "deploy --env production", "deploy --env demo", "versions upload --env production"];
	await Promise.all(uploads.map(upload));
});

test("every page of the demo shows the notice with the test card number", async () => {
	for (const path of ["/", "/login", "/checkout", "/payment", "/orders", `/product/${book.id}`, "/nowhere"]) {
		const html = await read(await new Customer(demo).fetch(path));
		expect(between(html, '<aside class="notice"', "</aside>")).toMatch(/demo.*no card.*4242 4242 4242 4242/);
	}
});

test("the demo's webhook marks an order as paid without a fulfill request", async () => {
	await demo.control({ control: "webhooks", mode: "before_response" });
	expect(await statusOf(demo, await new Customer(demo).pay([book.id]))).toBe("paid");
});

test("the demo's host serves stripe.js and the card frame, but not its controls; another host serves nothing", async () => {
	expect(demoHost).toMatch(`${demoName}.`);
	for (const [host, path, status] of [
		[demoHost, "/stripe.js", 200],
		[demoHost, "/card-frame", 200],
		[demoHost, "/state", 404],
		["shop.example.com", "/stripe.js", 404],
	] as const) {
		const response = await sendRaw(demo.url, { target: `/stripe-emulator${path}`, headers: [["Host", host]] });
		expect([host, path, response.status]).toEqual([host, path, status]);
	}
});

test("the demo deletes what is a day old from its emulator", async () => {
	await new Customer(demo).pay([book.id]);
	await demo.advance(86_400);
	expect(await demo.emulator()).toMatchObject({ paymentIntents: [], events: [], journal: [] });
});
