import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { PUBLISHABLE_KEY, SECRET_KEY, WEBHOOK_SECRET } from "../keys.ts";
import { eventTypes } from "../objects/event.ts";
import { version } from "../package.json";
import type { StandaloneOptions } from "./options.ts";

const help = `Emulates a Stripe test account: the payments API, Stripe.js and webhooks.

Usage: stripe-emulator [options]

  --port PORT      the port to listen on; 0 for any free port (default: 12111)
  --host ADDRESS   the address to listen on (default: 127.0.0.1). 0.0.0.0 accepts requests from other machines, with
                   any host name and without a login: use it only in a private network
  --state FOLDER   the folder that keeps the account after a restart (default: none, in memory)
  --webhook URL    an endpoint that receives the events; can be repeated
  --events TYPES   the types of the events to send to it, separated by commas (default: all)
  --help           prints this text
  --version        prints the version`;

interface Arguments extends StandaloneOptions {
	port: number;
	host: string;
	state: string | undefined;
}

const started = parse();
if (started) await start(started);

/** Returns the arguments, or undefined if there is nothing to start. Exits with status 2 if an argument is invalid. */
function parse(): Arguments | undefined {
	const { values } = read();
	if (values.help) return void console.info(help);
	if (values.version) return void console.info(version);
	const port = Number(values.port);
	if (!/^\d+$/.test(values.port) || port > 65_535) fail(`--port is not a port number: ${values.port}`);
	const webhooks = values.webhook.map((url) => {
		if (/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : "")) return url;
		return fail(`--webhook is not an http or https URL: ${url} (example: http://localhost:3000/webhook)`);
	});
	const types: readonly string[] = eventTypes;
	const events = values.events?.split(",").map((type) => type.trim()) ?? ["*"];
	const unknown = events.find((type) => type !== "*" && !types.includes(type));
	if (unknown !== undefined) {
		fail(`--events has a type that the emulator does not create: ${unknown}. Types: ${types.join(", ")}`);
	}
	if (values.events !== undefined && webhooks.length === 0) fail("--events requires --webhook URL.");
	const { host, state } = values;
	const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
	return { port, host, state, webhooks, events, allowsAnyHost: !isLoopback };
}

function read() {
	try {
		return parseArgs({
			options: {
				port: { type: "string", default: "12111" },
				host: { type: "string", default: "127.0.0.1" },
				state: { type: "string" },
				webhook: { type: "string", multiple: true, default: [] },
				events: { type: "string" },
				help: { type: "boolean", short: "h", default: false },
				version: { type: "boolean", short: "v", default: false },
			},
		});
	} catch (error) {
		return fail(error instanceof Error ? error.message : String(error));
	}
}

function fail(message: string, status = 2): never {
	console.error(status === 2 ? `${message}\nRun stripe-emulator --help for the options.` : message);
	process.exit(status);
}

/** Runs the Worker on workerd until it ends or this process is told to end. */
async function start({ port, host, state, ...options }: Arguments): Promise<void> {
	await requireFree(port, host);
	const folder = state === undefined ? mkdtempSync(join(tmpdir(), "stripe-emulator-")) : resolve(state);
	const removeFolder = () => {
		if (state === undefined) rmSync(folder, { recursive: true, force: true });
	};
	try {
		mkdirSync(folder, { recursive: true });
	} catch (error) {
		fail(
			`--state is not a folder that can be written: ${state} (${error instanceof Error ? error.message : error})`,
			1,
		);
	}
	const address = host.includes(":") ? `[${host}]` : host;
	const { default: workerd }: { default: string } = createRequire(import.meta.url)("workerd");
	const child = spawn(
		workerd,
		[
			"serve",
			fileURLToPath(new URL("workerd.capnp", import.meta.url)),
			"config",
			"--experimental",
			`--socket-addr=http=${address}:${port}`,
			`--directory-path=state=${folder}`,
			"--control-fd=3",
		],
		{
			stdio: ["ignore", "inherit", "inherit", "pipe"],
			env: { ...process.env, STRIPE_EMULATOR_OPTIONS: JSON.stringify(options satisfies StandaloneOptions) },
		},
	);
	let stopping = false;
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
		process.on(signal, () => {
			stopping = true;
			child.kill("SIGKILL");
		});
	}
	// ends workerd with this process, also after an error
	process.on("exit", () => {
		child.kill("SIGKILL");
		removeFolder();
	});
	child.on("error", (error) => fail(`workerd cannot be started: ${error.message}`, 1));
	child.on("exit", (status) => process.exit(stopping ? 0 : status || 1));
	const [, , , control] = child.stdio;
	if (!(control instanceof Readable)) throw new Error("workerd has no control channel.");
	const bound = await listeningPort(control);
	const shown = ["0.0.0.0", "::"].includes(host) ? "localhost" : address;
	console.info(startText(`http://${shown}:${bound}`, { state, ...options }));
}

/** Exits with a message if the port is in use or the address is not one of this machine. */
function requireFree(port: number, host: string): Promise<void> {
	const server = createServer();
	return new Promise((free) => {
		server.on("error", ({ code, message }: NodeJS.ErrnoException) => {
			if (code === "EADDRINUSE") fail(`Port ${port} is in use. Choose another one with --port, or --port 0.`, 1);
			fail(`Cannot listen on ${host}:${port}: ${message}`, 1);
		});
		server.listen(port, host, () => server.close(() => free()));
	});
}

/** Resolves to the port that workerd reports on its control channel. */
async function listeningPort(control: Readable): Promise<number> {
	let text = "";
	for await (const chunk of control) {
		text += chunk;
		// one JSON object per line
		const line = text.split("\n").find((each) => each.includes('"event":"listen"') && each.endsWith("}"));
		if (line) return Number(/"port":(\d+)/.exec(line)?.[1]);
	}
	// the exit of workerd, which reports its own error, ends this process
	return new Promise(() => undefined);
}

function startText(
	url: string,
	{ state, webhooks, events }: Omit<Arguments, "port" | "host" | "allowsAnyHost">,
): string {
	const lines = [
		["API", `${url}/v1`],
		["Console", `${url}/`],
		["Stripe.js", `${url}/stripe.js`],
		["Secret key", `${SECRET_KEY}, or any other sk_test_ or rk_test_ key`],
		["Publishable key", `${PUBLISHABLE_KEY}, or any other pk_test_ key`],
		["Webhook secret", WEBHOOK_SECRET],
		...webhooks.map((endpoint) => [
			"Webhooks to",
			`${endpoint}${events.includes("*") ? "" : ` (${events.join(", ")})`}`,
		]),
		["State", state === undefined ? "in memory" : resolve(state)],
	];
	return ["Stripe emulator", ...lines.map(([name = "", value]) => `  ${name.padEnd(16)} ${value}`)].join("\n");
}
