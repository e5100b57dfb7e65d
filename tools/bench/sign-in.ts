// Does the time of an answer tell who has an account? A wrong password for a known address and one for an unknown address,
// in turns.
import { Customer } from "../../tests/support/customer.ts";
import { open, withProduction } from "./production.ts";
import { type Measured, percentiles } from "./table.ts";

const tries = 40;

export function signIn(): Promise<Measured> {
	return withProduction(async (production) => {
		const shop = await open(production);
		const customer = new Customer(shop);
		await customer.createAccount();
		async function time(email: string): Promise<number> {
			const start = performance.now();
			const fields = { email, password: "wrong horse battery", intent: "sign-in" };
			const response = await new Customer(shop).submit("/login", fields);
			await response.text();
			return performance.now() - start;
		}
		const [known, unknown]: [number[], number[]] = [[], []];
		for (let n = 0; n < tries; n++) {
			known.push(await time(customer.email));
			unknown.push(await time(`${crypto.randomUUID()}@example.com`));
		}
		await shop.close();
		return {
			rows: [
				["wrong password, known address (ms)", percentiles(known)],
				["wrong password, unknown address (ms)", percentiles(unknown)],
			],
			failures: [],
		};
	});
}
