import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Control } from "stripe-emulator/controls/control.ts";
import { defaultKeys } from "stripe-emulator/keys.ts";
import { z } from "zod";
import { readBuild } from "../../tests/support/built-worker.ts";
import { emulatorClient, openShop } from "../../tests/support/shop.ts";
import type { BuildApart } from "../bench/build.ts";
import { issueCertificate } from "../bench/certificate.ts";

const host = "shop.example.com";
const stripeHosts = ["js.stripe.com", "api.stripe.com", "hooks.stripe.com"];

/** The keys of the emulator's account. */
const secrets = {
	STRIPE_SECRET_KEY: defaultKeys.secretKey,
	STRIPE_PUBLISHABLE_KEY: defaultKeys.publishableKey,
	STRIPE_WEBHOOK_SECRET: defaultKeys.webhookSecret,
};

/** A mistake in a deployment: the Worker has no keys, public/_headers was not uploaded, or the Content-Security-Policy
 *  lacks a host. */
type Mistake = "no keys" | "no _headers" | "no hooks.stripe.com";

/** Passes a request to the Worker of its host, as Cloudflare does. */
const frontScript = `let mistake;
export default {
	async fetch(request, { SHOP, KEYLESS, STRIPE }) {
		const url = new URL(request.url);
		const { hostname, pathname } = url;
		if (pathname === "/cron") return Response.json(await SHOP.scheduled({ scheduledTime: new Date() }));
		if (pathname === "/mistake") return Response.json((mistake = await request.json()));
		if (hostname !== "${host}") {
			url.pathname = "/stripe-emulator" + pathname.replace("/endive", "");
			return replace(await STRIPE.fetch(new Request(url, request)), "Cross-Origin-Resource-Policy", /.+/, "cross-origin");
		}
		const visitor = JSON.stringify({ scheme: url.protocol.slice(0, -1) });
		const forwarded = new Request(request, { headers: [...request.headers, ["CF-Visitor", visitor]] });
		const response = await (mistake === "no keys" ? KEYLESS : SHOP).fetch(forwarded);
		if (mistake === "no _headers" && pathname.startsWith("/pictures/")) return replace(response, "Cache-Control", /\\d+/, "0");
		if (mistake !== "no hooks.stripe.com" || response.webSocket) return response;
		return replace(response, "Content-Security-Policy", "https://hooks.stripe.com", "");
	},
};
function replace(response, name, from, to) {
	const replaced = new Response(response.body, response);
	replaced.headers.set(name, (response.headers.get(name) ?? "").replace(from, to));
	return replaced;
}`;

/** Starts a production build as Cloudflare would: behind TLS at shop.example.com, with keys and the rate limits of
 *  wrangler.toml. The emulator of the local build answers for Stripe's host names, to the browser and to the Worker.
 *  Close it when done. */
export async function openRehearsal(folder: string) {
	const { key, cert, publicKeyHash } = issueCertificate(host);
	const build = join(folder, "build/server");
	const keyless = { ...(await readBuild(build, { limited: true })).shop, name: "keyless" };
	const local = await readBuild("build/server", { secrets: { STRIPE_EMULATOR_HOSTS: stripeHosts.join() } });
	const { name } = local.shop;
	const outbound = { name, entrypoint: "StripeEmulator" };
	const shop = await openShop({
		...{ build, secrets, outbound, limited: true, https: { key: String(key), cert } },
		inFront(SHOP) {
			const serviceBindings = { SHOP, KEYLESS: "keyless", STRIPE: name };
			const emulator = { ...local.shop, serviceBindings: { ...local.shop.serviceBindings, SHOP } };
			const { compatibilityDate } = local.shop;
			const front = { name: "front", modules: true, script: frontScript, compatibilityDate };
			const unsafeDirectSockets = [{}];
			return [{ ...front, serviceBindings, unsafeDirectSockets }, { ...emulator, unsafeDirectSockets }, keyless];
		},
	});
	const [front, emulator] = [await shop.urlOf("front"), await shop.urlOf(name)];
	const secure = [host, ...stripeHosts].map((name) => `MAP ${name}:443 127.0.0.1:${shop.url.port}`);
	const post = (path: string, to: URL, body: unknown) =>
		fetch(new URL(path, to), { method: "POST", body: JSON.stringify(body) });
	return {
		address: new URL(`https://${host}`),
		stripe: emulatorClient(emulator),
		cron: new URL("/cron", front),
		args: [
			`--host-resolver-rules=MAP ${host}:80 127.0.0.1:${front.port}, ${secure.join(", ")}`,
			`--ignore-certificate-errors-spki-list=${publicKeyHash}`,
		],
		make: (mistake: Mistake | null) => post("/mistake", front, mistake),
		/** Runs a control of the emulator. */
		control: (control: Control) => post("/stripe-emulator/controls", emulator, control),
		close: shop.close,
	};
}

/** Returns a line for each limit of Workers Paid with the production Worker's value, and what `wrangler deploy
 *  --dry-run` reports. */
export async function describeWorker(build: BuildApart): Promise<string[]> {
	const report = await build.wrangler("deploy", "--dry-run");
	const [, size] = /gzip: (.+)/.exec(report) ?? [];
	const [, files] = /Read (\d+) files/.exec(report) ?? [];
	return [
		`size      ${size} after gzip; Workers allows 10 MB`,
		`startup   ${(await startupOf(build)).toFixed(0)} ms of CPU on this machine; Workers allows 1,000 on its own`,
		`assets    ${files} files; Workers allows 100,000`,
		...report.split("\n").filter((line) => /^env\.|warning/i.test(line)),
	];
}

/** `wrangler check startup` runs `wrangler deploy` without its own --config, so that the latter would run the custom build
 *  of wrangler.toml. */
const deployArgs = "--args=--config build/server/wrangler.json";

/** The fields of V8's CPU profile that are used here. `timeDeltas` are the microseconds before each sample. */
const profileShape = z.object({
	nodes: z.array(z.object({ id: z.number(), callFrame: z.object({ functionName: z.string() }) })),
	samples: z.array(z.number()),
	timeDeltas: z.array(z.number()),
});

/** Starts the Worker once. Returns the CPU time in milliseconds, which Cloudflare limits to 1,000 on its machines. */
async function startupOf({ folder, wrangler }: BuildApart): Promise<number> {
	const file = "start.cpuprofile";
	await wrangler("check", "startup", "--outfile", file, deployArgs);
	return activeIn(profileShape.parse(JSON.parse(await readFile(join(folder, file), "utf8"))));
}

/** Returns the milliseconds during which V8 was not idle. */
function activeIn({ nodes, samples, timeDeltas }: z.infer<typeof profileShape>): number {
	const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
	const active = samples.map((node, index) => (idle.has(node) ? 0 : (timeDeltas[index] ?? 0)));
	return active.reduce((sum, time) => sum + time, 0) / 1000;
}
