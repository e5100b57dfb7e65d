import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";
import { book } from "../support/catalogue.ts";
import { idOf } from "../support/customer.ts";
import { freePort } from "../support/listen.ts";
import { sendRaw } from "../support/raw-request.ts";
import { emulatorClient } from "../support/shop.ts";

const timeout = 10 * 60_000;

const env = {
	...process.env,
	PATH: [resolve("node_modules/.bin"), process.env["PATH"]].join(delimiter),
	WRANGLER_SEND_METRICS: "false",
	CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

/** The paths under /cdn-cgi that wrangler handles for some shop, and the status of a GET without an `Origin`. */
const cloudflarePaths: [string, number][] = [
	["local/scheduled", 200],
	["handler/scheduled", 200],
	["mf/scheduled", 200],
	// an email needs a POST, which has an Origin
	["local/email?from=a@example.com&to=b@example.com", 400],
	["handler/email?from=a@example.com&to=b@example.com", 400],
	// needs a header that no other site can send
	["local/platform-proxy", 400],
	["local/explorer", 404],
	["local/r2/public", 404],
	["local/r2/s3", 404],
];

test("npm start prints what to do, opens no debugger, and other sites can run only the cron", { timeout }, async () => {
	await start("node", ["tools/scripts/serve.ts"], async (address, printed, commands) => {
		const expected = `Migrating the local database…
Starting the server…

The shop is open at ${address}
Payments go to the Stripe emulator: ${address}/stripe-emulator/ shows them.
Test cards, with any future date and any CVC:
  4242 4242 4242 4242  succeeds
  4000 0000 0000 0002  is declined
  4000 0027 6000 3184  requires 3-D Secure
Press Ctrl+C to stop.
`;
		expect(printed.slice(0, expected.length)).toBe(expected);
		expect(await (await fetch(address)).text()).toContain("<main");
		// through a debugger, any page on localhost could run code in the Worker
		expect(commands.join("\n")).toContain("workerd serve");
		expect(commands.join("\n")).not.toContain("--inspector-addr");
		for (const explorer of ["/cdn-cgi/local/explorer", "/cdn-cgi/explorer"]) {
			const databases = `${address}${explorer}/api/d1/database`;
			expect((await fetch(databases)).status).toBe(404);
			const sql = { method: "POST", body: JSON.stringify({ sql: "SELECT name FROM products" }) };
			expect((await fetch(`${databases}/00000000-0000-0000-0000-000000000000/raw`, sql)).ok).toBe(false);
		}

		const url = new URL(address);
		const get = async (path: string, ...headers: [string, string][]) =>
			(await sendRaw(url, { target: `/cdn-cgi/${path}`, headers })).status;
		for (const [path, status] of cloudflarePaths) {
			const statuses = await Promise.all([
				// the request for an image or a link has no Origin
				get(path, ["Host", url.host], ["Sec-Fetch-Site", "cross-site"]),
				get(path, ["Host", url.host], ["Origin", "https://other.example"]),
				get(path, ["Host", "other.example"]),
			]);
			expect([path, ...statuses]).toEqual([path, status, 403, 403]);
		}
	});
});

test("npm start serves HTTPS with --local-protocol, and a debugger with --inspector-port", { timeout }, async () => {
	const inspectorPort = await freePort();
	const args = ["--local-protocol", "https", "--inspector-port", String(inspectorPort)];
	await start("node", ["tools/scripts/serve.ts", ...args], async (address, printed) => {
		expect(address).toMatch(/^https:/);
		// printed once the home page has returned 200
		expect(printed).toContain(`The shop is open at ${address}\n`);
		expect(await (await fetch(`http://127.0.0.1:${inspectorPort}/json/list`)).json()).toHaveLength(1);
	});
});

test("npm run recover restores once what the database has lost of the emulator's payments", { timeout }, async () => {
	await start("node", ["tools/scripts/serve.ts"], async (address, _printed, _commands, folder) => {
		const id = await buyBook(address);
		const options = { cwd: folder, encoding: "utf8", env } as const;
		const lose = "delete from order_items; delete from orders";
		spawnSync("wrangler", ["d1", "execute", "DB", "--local", "--command", lose], options);
		const since = new Date(Date.now() - 60_000).toISOString();
		const args = ["tools/recover/main.ts", "--since", since, "--port", new URL(address).port];
		const recover = (...more: string[]) => {
			const { stdout, stderr } = spawnSync("node", [...args, ...more], options);
			return stderr + stdout;
		};
		const restored = recover("--apply");
		expect(restored).toContain(id);
		expect(restored).toMatch(/missing, with a copy -> present {2}guest\n1 payments, 1 changed, 0 differ/);
		expect(recover("--apply")).toMatch(/ {2}present {6}guest\n1 payments, 0 changed, 0 differ/);
	});
});

test("npm start refuses an option that it does not pass on, and names those that it does", async () => {
	const node = resolve("node_modules/.bin/node");
	const refused = promisify(execFile)(node, ["tools/scripts/serve.ts", "--remote"]);
	await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/'--remote'.*--persist-to/s) });
});

test("npm start and wrangler dev refuse a database of migrations that no longer exist", { timeout }, async () => {
	const folder = await createWorkingCopy();
	const run = (command: string, ...args: string[]) => {
		const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: "utf8", env });
		return { status, printed: stdout + stderr };
	};
	const message = (state: string) =>
		`The local database was created by migrations that no longer exist: delete it with rm -r "${state}/v3" and start again.\n`;
	try {
		const sql = "create table d1_migrations (name text); insert into d1_migrations values ('0000_other.sql')";
		run("wrangler", "d1", "execute", "DB", "--local", "--command", sql);
		await cp(join(folder, ".wrangler/state"), join(folder, "other state"), { recursive: true });
		expect(run("node", "tools/scripts/serve.ts", "--port", "0", "--persist-to", "other state")).toEqual({
			status: 1,
			printed: message("other state"),
		});
		// the build command of `wrangler dev`
		const prepared = run("npm", "run", "--silent", "prepare:local");
		expect(prepared.status).not.toBe(0);
		expect(prepared.printed).toContain(message(".wrangler/state"));
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});

test.runIf(process.env["LONG"])("wrangler dev builds, migrates and serves", { timeout }, async () => {
	const args = ["dev", "--inspector-port", String(await freePort())];
	await start("wrangler", args, async (address, printed) => {
		expect(printed).toContain("Payments go to the Stripe emulator: /stripe-emulator/ shows them.\n");
		expect(await (await fetch(address)).text()).toContain("<main");
		expect((await fetch(`${address}/stripe-emulator/`)).status).toBe(200);
	});
});

/** Buys a book as a guest. Resolves to the payment's id, when its order has been copied to Stripe. */
async function buyBook(address: string): Promise<string> {
	const stripe = emulatorClient(new URL(address));
	const post = async (path: string, body?: object) => {
		const headers = { "Content-Type": "application/json" };
		const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { method: "POST" };
		return (await fetch(`${address}/payments/${path}`, init)).json();
	};
	const created = z.object({ clientSecret: z.string(), signature: z.string() });
	const payment = created.parse(await post(`create?total=${book.priceCents}`));
	expect(await post("place", { ...payment, productIds: [book.id], customer: null })).toEqual({ status: "placed" });
	const { id } = await stripe.paymentIntents.confirm(idOf(payment.clientSecret), { payment_method: "pm_card_visa" });
	expect(await post("fulfill", payment)).toMatchObject({ status: "paid" });
	await expect.poll(async () => (await stripe.paymentIntents.retrieve(id)).metadata).toHaveProperty("items");
	return id;
}

/** Returns the command lines of the processes that a process has started, and of those that they have started. */
async function commandsBelow(pid: number | undefined): Promise<string[]> {
	const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,args="]);
	const processes = stdout.split("\n").map((line) => /^ *(\d+) +(\d+) (.*)/.exec(line) ?? []);
	const below = (parent: string): string[] =>
		processes.flatMap(([, child, its, command]) =>
			its === parent && child && command ? [command, ...below(child)] : [],
		);
	return below(String(pid));
}

/** Creates a working copy without a local database. The caller must remove it. */
async function createWorkingCopy(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "half-dozen-start-"));
	for (const name of await readdir(".")) {
		// copied, because a build in this folder would replace its files
		if (name === "build") await cp(name, join(folder, name), { recursive: true, preserveTimestamps: true });
		else if (name !== ".wrangler") await symlink(resolve(name), join(folder, name));
	}
	return folder;
}

/** Starts a server on a free port in a new working copy, then runs `check` with its address, its output and the command
 *  lines of its processes. */
async function start(
	command: string,
	args: string[],
	check: (address: string, printed: string, commands: string[], folder: string) => Promise<void>,
): Promise<void> {
	const folder = await createWorkingCopy();
	const server = spawn(command, [...args, "--port", String(await freePort())], {
		cwd: folder,
		stdio: ["ignore", "pipe", "pipe"],
		env,
	});
	const ended = once(server, "exit");
	try {
		const printed = await new Promise<string>((resolve, reject) => {
			let text = "";
			for (const stream of [server.stdout, server.stderr]) {
				stream.setEncoding("utf8").on("data", (part: string) => {
					text += part;
					if (/open at \S+\n.*to stop\.\n|Ready on \S+\n/s.test(text)) resolve(text);
				});
			}
			server.on("exit", () => reject(new Error(text)));
		});
		const [, address = ""] = /(?:open at|Ready on) (https?:\/\/[^\s/]+)/.exec(printed) ?? [];
		await check(address, printed, await commandsBelow(server.pid), folder);
	} finally {
		server.kill();
		await ended;
		await rm(folder, { recursive: true, force: true });
	}
}
