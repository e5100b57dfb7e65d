import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { book } from "../support/catalogue.ts";
import { Customer, statusOf } from "../support/customer.ts";
import { type Deployment, openDeployment, sentinel } from "../support/deployment.ts";
import { between, cards, cardsOf } from "../support/page.ts";
import { read } from "../support/response.ts";

let demo: Deployment;
beforeAll(async () => {
	demo = await openDeployment("demo");
}, 180_000);
afterAll(() => demo?.close());

const noticeOf = (html: string) => between(html, '<aside class="notice"', "</aside>");

test("the demo's upload contains no .dev.vars values and no source maps", () => {
	const files = [...demo.uploaded].map(([path, text]) => `${path}\n${text}`);
	expect(files.length).toBeGreaterThan(20);
	expect(files.filter((file) => file.includes(sentinel) || /^.*\.(map|dev\.vars)\n/.test(file))).toEqual([]);
	expect(demo.rehearsal).not.toContain(sentinel);
});

test("wrangler's dry run binds the demo to its own Worker and database", () => {
	expect(demo.rehearsal).toContain("--dry-run: exiting now.");
	expect(demo.rehearsal).toContain("env.DB (half-dozen-demo)");
	expect(demo.rehearsal).toContain("env.STRIPE_EMULATOR (half-dozen-demo#StripeEmulator)");
	expect(demo.rehearsal).toContain("env.SHOP (half-dozen-demo)");
	expect(demo.rehearsal).not.toMatch(/warning/i);
});

test.each(["/", "/login", "/checkout", "/payment", "/orders", "/product/12321341", "/nowhere"])(
	"GET %s shows the demo notice with the test card number",
	async (path) => {
		const notice = noticeOf(await read(await new Customer(demo.shop).fetch(path)));
		expect(notice).toContain("A demonstration");
		expect(notice).toContain("no card is charged");
		expect(notice).toContain("4242 4242 4242 4242");
	},
);

test("the demo Worker starts and serves the six products", async () => {
	expect(cardsOf(await read(await new Customer(demo.shop).fetch("/")))).toEqual(cards);
});

test("the webhook marks a demo order as paid without a fulfill request", async () => {
	await demo.shop.control({ control: "webhooks", mode: "before_response" });
	const clientSecret = await new Customer(demo.shop).pay([book.id]);
	expect(await statusOf(demo.shop, clientSecret)).toBe("paid");
});

test("the demo's host in wrangler.toml serves stripe.js and the card frame, but not the emulator's controls", async () => {
	const [, host = ""] = /env\.STRIPE_EMULATOR_HOSTS \("([^"]+)"\)/.exec(demo.rehearsal) ?? [];
	expect(host).toMatch(/^half-dozen-demo\./);
	const { hostname, port } = demo.shop.url;
	const statusAt = async (path: string) => {
		const sent = httpRequest({ hostname, port, path: `/stripe-emulator${path}`, headers: { Host: host } }).end();
		const [response] = await once(sent, "response");
		response.resume();
		return response.statusCode;
	};
	expect(await statusAt("/stripe.js")).toBe(200);
	expect(await statusAt("/card-frame")).toBe(200);
	expect(await statusAt("/state")).toBe(404);
});
