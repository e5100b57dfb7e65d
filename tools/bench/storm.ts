// How long shoppers wait for a page while twenty others sign in all the time. Each try is another account's, from another
// address, so that nothing but the turns of hashing holds it up.
import { load } from "./load.ts";
import { customerWith, open, withProduction } from "./production.ts";
import { type Measured, percentiles, type Row } from "./table.ts";

const stormers = 20;
const milliseconds = 10_000;

export function storm(): Promise<Measured> {
	return withProduction(async (production) => {
		const shop = await open(production);
		const customer = await customerWith(shop, 3);
		const pages = [
			{ name: "home, guest", path: "/", headers: {} },
			{ name: "orders, customer with three", path: "/orders", headers: customer },
		];
		const rows: Row[] = [];
		const failures: string[] = [];
		async function look(when: string): Promise<void> {
			for (const { name, path, headers } of pages) {
				const { times } = await load({ url: `${shop.url.origin}${path}`, headers, connections: 8, milliseconds });
				rows.push([`${name}, ${when} (ms)`, percentiles(times)]);
			}
		}
		await look("in peace");

		let blowing = true;
		let tries = 0;
		const statuses: number[] = [];
		const signIn = async () => {
			const body = new URLSearchParams({
				email: `${crypto.randomUUID()}@example.com`,
				password: "correct horse battery",
			});
			const [a, b] = [Math.floor(++tries / 250) % 250, tries % 250];
			const headers = { Origin: shop.url.origin, "CF-Connecting-IP": `10.1.${a}.${b}` };
			const { status } = await shop.fetch("/login", { method: "POST", body, headers });
			statuses.push(status);
			if (status !== 400 && status !== 429) failures.push(`A sign-in without an account was answered with ${status}.`);
		};
		const clients = Array.from({ length: stormers }, async () => {
			while (blowing) await signIn();
		});
		const start = performance.now();
		await look(`while ${stormers} sign in`);
		const seconds = (performance.now() - start) / 1000;
		const hashed = statuses.filter((status) => status === 400).length;
		rows.push([
			"tries to sign in",
			`${(hashed / seconds).toFixed(1)} a second, and ${statuses.length - hashed} that were told to wait`,
		]);
		blowing = false;
		await Promise.all(clients);
		await shop.close();
		return { rows, failures: failures.slice(0, 1) };
	});
}
