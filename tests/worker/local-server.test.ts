import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { listen } from "../support/listen.ts";
import { sendRaw } from "../support/raw-request.ts";

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

test("npm start prints the address, the test cards and how to stop, and lets another site run only the cron", {
	timeout,
}, async () => {
	await start("node", ["tools/scripts/serve.ts"], async (address, printed) => {
		const expected = `Migrating the local database…
Starting the server…

Half Dozen is open at ${address}
Payments go to the Stripe emulator: ${address}/stripe-emulator/ shows them.
Test cards, with any future date and any CVC:
  4242 4242 4242 4242  succeeds
  4000 0000 0000 0002  is declined
  4000 0027 6000 3184  requires 3-D Secure
Press Ctrl+C to stop.
`;
		expect(printed.slice(0, expected.length)).toBe(expected);
		expect(await (await fetch(address)).text()).toContain("<main");
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

test("npm start with --local-protocol https opens the shop over HTTPS", { timeout }, async () => {
	await start("node", ["tools/scripts/serve.ts", "--local-protocol", "https"], async (address, printed) => {
		expect(address).toMatch(/^https:/);
		// printed once the home page has returned 200
		expect(printed).toContain(`Half Dozen is open at ${address}\n`);
	});
});

test("npm start and wrangler dev refuse a local database of migrations that no longer exist, and print how to delete it", {
	timeout,
}, async () => {
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
			printed: `Migrating the local database…\n${message("other state")}`,
		});
		// the build command of `wrangler dev`
		const printed = message(".wrangler/state");
		expect(run("npm", "run", "--silent", "prepare:local")).toEqual({ status: 1, printed });
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});

test.runIf(process.env["LONG"])(
	"wrangler dev builds, migrates and serves without another command",
	{
		timeout,
	},
	async () => {
		await start("wrangler", ["dev"], async (address) => {
			expect(await (await fetch(address)).text()).toContain("<main");
			expect((await fetch(`${address}/stripe-emulator/`)).status).toBe(200);
		});
	},
);

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

/** Starts a server on free ports in a new working copy, then runs `check` with its address and its output. */
async function start(
	command: string,
	args: string[],
	check: (address: string, printed: string) => Promise<void>,
): Promise<void> {
	const folder = await createWorkingCopy();
	// both are held at the same time, so that they differ
	const held = [createServer(), createServer()];
	const [port, inspectorPort] = await Promise.all(held.map(listen));
	await Promise.all(held.map((server) => once(server.close(), "close")));
	const ports = ["--port", String(port), "--inspector-port", String(inspectorPort)];
	const server = spawn(command, [...args, ...ports], {
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
					if (/to stop\.\n|Ready on \S+\n/.test(text)) resolve(text);
				});
			}
			server.on("exit", () => reject(new Error(text)));
		});
		const [address = ""] = /https?:\/\/[^\s/]+/.exec(printed) ?? [];
		await check(address, printed);
	} finally {
		server.kill();
		await ended;
		await rm(folder, { recursive: true, force: true });
	}
}
