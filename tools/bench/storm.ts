// Measures the response times of pages while twenty clients sign in continuously. Each attempt has its own email and IP
// address, so that only the hash queue limits it.
import { progress } from "../scripts/progress.ts";
import { load } from "./load.ts";
import { customerWith, open, withProduction } from "./production.ts";
import { percentiles, type Report } from "./table.ts";

const clientCount = 20;
const milliseconds = 10_000;

export function storm(report: Report): Promise<string[]> {
	return withProduction(async (production) => {
		const shop = await open(production);
		const customer = await customerWith(shop, 3);
		const pages = [
			{ name: "home, guest", path: "/", headers: {} },
			{ name: "orders, customer with three", path: "/orders", headers: customer },
		];
		const begin = progress(2 * pages.length);
		const failures: string[] = [];
		async function measure(when: string): Promise<void> {
			for (const { name, path, headers } of pages) {
				begin(`${name}, ${when}`);
				const { times } = await load({ url: `${shop.url.origin}${path}`, headers, connections: 8, milliseconds });
				report(`${name}, ${when} (ms)`, percentiles(times));
			}
		}
		await measure("idle");

		let isRunning = true;
		let attempts = 0;
		const statuses: number[] = [];
		const signIn = async () => {
			const body = new URLSearchParams({
				email: `${crypto.randomUUID()}@example.com`,
				password: "correct horse battery",
			});
			const [a, b] = [Math.floor(++attempts / 250) % 250, attempts % 250];
			const headers = { Origin: shop.url.origin, "CF-Connecting-IP": `10.1.${a}.${b}` };
			const { status } = await shop.fetch("/login", { method: "POST", body, headers });
			statuses.push(status);
			if (status !== 400 && status !== 429) failures.push(`POST /login without an account returned ${status}.`);
		};
		const clients = Array.from({ length: clientCount }, async () => {
			while (isRunning) await signIn();
		});
		const start = performance.now();
		await measure(`while ${clientCount} clients sign in`);
		const seconds = (performance.now() - start) / 1000;
		const hashed = statuses.filter((status) => status === 400).length;
		report(
			"sign-in attempts",
			`${(hashed / seconds).toFixed(1)} per second, and ${statuses.length - hashed} rate limited`,
		);
		isRunning = false;
		await Promise.all(clients);
		await shop.close();
		return failures.slice(0, 1);
	});
}
