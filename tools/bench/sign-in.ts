// Measures whether response times reveal which emails have an account. Alternates wrong passwords for a known and an
// unknown email.
import { Customer } from "../../tests/support/customer.ts";
import { progress } from "../scripts/progress.ts";
import { open, withProduction } from "./production.ts";
import { repetitions } from "./short.ts";
import { percentiles, type Report } from "./table.ts";

const attempts = repetitions(40);

export function signIn(report: Report): Promise<string[]> {
	return withProduction(async (production) => {
		const shop = await open(production);
		const customer = new Customer(shop);
		await customer.createAccount();
		async function time(email: string): Promise<number> {
			const start = performance.now();
			const fields = { email, password: "wrong horse battery" };
			const response = await new Customer(shop).submit("/login", fields);
			await response.text();
			return performance.now() - start;
		}
		const begin = progress(attempts);
		const [known, unknown]: [number[], number[]] = [[], []];
		for (let n = 0; n < attempts; n++) {
			begin("two attempts");
			known.push(await time(customer.email));
			unknown.push(await time(`${crypto.randomUUID()}@example.com`));
		}
		await shop.close();
		report("wrong password, known email (ms)", percentiles(known));
		report("wrong password, unknown email (ms)", percentiles(unknown));
		return [];
	});
}
