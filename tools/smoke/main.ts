import { rm } from "node:fs/promises";
import Stripe from "stripe";
import { emulatorClient } from "../../tests/support/shop.ts";
import { buildProduction } from "../bench/build.ts";
import { exit, readArguments } from "../scripts/arguments.ts";
import { buildIfStale } from "../scripts/build.ts";
import { installChromium } from "../scripts/chromium.ts";
import { checks } from "./checks.ts";
import { describeWorker, openRehearsal } from "./rehearsal.ts";
import { isLocal, openSmoke, type Target } from "./smoke.ts";

const help = `Usage: npm run smoke -- [ADDRESS] [CHECK…]

Drives a browser through the shop at an address with all checks, or with these, and fails if one fails. Without an
address, rehearses a deployment on this machine. STRIPE_SECRET_KEY=sk_test_… allows the checks that call Stripe.
The checks: ${Object.keys(checks).join(", ")}

Example: npm run smoke -- https://shop.example.com webhook cron`;
const isAddress = (arg: string) => /^https?:\/\//.test(arg) && URL.canParse(arg);
const { positionals } = readArguments(help, {}, (arg) => isAddress(arg) || arg in checks);
const [address] = positionals.filter(isAddress).map((arg) => new URL(arg));
const names = positionals.filter((arg) => !isAddress(arg));
const chosen = Object.entries(checks).filter(([name]) => names.length === 0 || names.includes(name));
await installChromium();
const results = [...(await (address ? smoke(await targetAt(address)) : rehearse())).values()];
const failed = results.filter((result) => result === "failed").length;
console.info(`${results.filter((result) => result === "passed").length} passed, ${failed} failed`);
// a check that has failed may still be waiting
process.exit(failed === 0 ? 0 : 1);

async function smoke(target: Target) {
	const smoke = await openSmoke(target, console.info);
	for (const [name, check] of chosen) await smoke.run(name, check);
	await smoke.close();
	if (address) {
		console.info("The test account and its orders remain in the database, and its payments at Stripe.");
		console.info("To find them: select * from users where email like 'smoke-%@example.com'");
	}
	return smoke.results;
}

async function rehearse() {
	if (!(await buildIfStale())) process.exit(1);
	console.info("Building the shop for production…");
	const build = await buildProduction();
	for (const line of await describeWorker(build)) console.info(line);
	const rehearsal = await openRehearsal(build.folder);
	try {
		return await smoke(rehearsal);
	} finally {
		await rehearsal.close();
		await rm(build.folder, { recursive: true, force: true });
	}
}

/** Returns the shop with Stripe's API, for which it needs a key, or with the emulator of `npm start`. */
async function targetAt(address: URL): Promise<Target> {
	const key = process.env["STRIPE_SECRET_KEY"];
	if (key && !/^[rs]k_test_/.test(key))
		exit("STRIPE_SECRET_KEY is not a key in test mode, which begins with sk_test_.");
	const stripe = key ? new Stripe(key) : null;
	if (!isLocal(address)) return { address, stripe, cron: null };
	const cron = new URL("/cdn-cgi/local/scheduled", address);
	// the certificate of a local server is self-signed
	process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
	const script = await fetch(new URL("/stripe-emulator/stripe.js", address)).catch(() => null);
	if (!script) exit(`${address.href} does not answer. Run \`npm start\` first.`);
	if (script.ok) return { address, stripe: emulatorClient(address), cron };
	delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
	return { address, stripe, cron };
}
