import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { environment } from "../../scripts/run.ts";
import { read, readProblem } from "../support/answer.ts";
import { cardsOf, sixCards } from "../support/page.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { Visitor } from "../support/visitor.ts";

const run = promisify(execFile);

/** All that a build is made from; no .dev.vars, which would bring keys along. */
const sources = [
	...["app", "drizzle", "migrations", "public", "stripe-emulator"],
	...["package.json", "tsconfig.json", "wrangler.toml", "react-router.config.ts", "vite.config.ts"],
];

let folder: string;
let shop: Shop;

// in a folder of its own, so that the build the other tests run on stays as it is
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "half-dozen-production-"));
	for (const source of sources) await cp(source, join(folder, source), { recursive: true });
	await symlink(resolve("node_modules"), join(folder, "node_modules"));
	await inFolder("react-router", "build", "--logLevel", "warn");
	shop = await openShop({ configPath: join(folder, "build/server/wrangler.json") });
}, 180_000);

afterAll(async () => {
	await shop?.close();
	await rm(folder, { recursive: true, force: true });
});

/** Runs a tool of the project in the folder for the production environment; throws what it printed when it fails. */
async function inFolder(tool: string, ...args: string[]): Promise<string> {
	const env = { ...environment, CLOUDFLARE_ENV: "production", NODE_ENV: "production" };
	const { stdout, stderr } = await run(resolve("node_modules/.bin", tool), args, { cwd: folder, env });
	return stdout + stderr;
}

test("the production build holds nothing of the Stripe emulator", async () => {
	const entries = await readdir(join(folder, "build"), { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
	expect(files.length).toBeGreaterThan(20);
	const guilty: string[] = [];
	for (const file of files) {
		// pictures and the rest are bytes; latin1 reads any of them without loss
		const text = `${file.slice(folder.length)}\n${await readFile(file, "latin1")}`;
		if (/emulator/i.test(text)) guilty.push(file);
	}
	expect(guilty).toEqual([]);
});

test("the production Worker starts and serves the six products", async () => {
	const response = await new Visitor(shop).fetch("/");
	expect(cardsOf(await read(response))).toEqual(sixCards);
	expect(response.status).toBe(200);
});

test.each(["/stripe-emulator/stripe.js", "/stripe-emulator/card-frame", "/stripe-emulator/v1/payment_intents"])(
	"GET %s is 404 in production",
	async (path) => {
		const response = await new Visitor(shop).fetch(path);
		await read(response);
		expect(response.status).toBe(404);
	},
);

test("POST /payments/create without keys is 503, and the log names the three variables", async () => {
	const response = await new Visitor(shop).fetch("/payments/create?total=1196", { method: "POST" });
	expect(response.status).toBe(503);
	expect(await response.json()).toEqual({ error: { code: "unavailable", message: expect.any(String) } });
	for (const name of ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"]) {
		expect(shop.logs()).toContain(name);
	}
});

test("POST /payments/create refuses a bad total before it asks for Stripe", async () => {
	const response = await new Visitor(shop).fetch("/payments/create?total=49", { method: "POST" });
	expect([response.status, await readProblem(response)]).toEqual([400, "total_invalid"]);
});

test("GET /payment without keys says that no payments are taken", async () => {
	expect(await read(await new Visitor(shop).fetch("/payment"))).toContain(
		"This shop cannot take payments at the moment.",
	);
});

test("wrangler deploy --dry-run accepts the production build", async () => {
	const output = await inFolder("wrangler", "deploy", "--dry-run");
	expect(output).toContain("--dry-run: exiting now.");
	expect(output).toContain("env.DB (half-dozen)");
	expect(output).not.toMatch(/emulator|warning/i);
});
