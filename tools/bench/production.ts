import { rmSync } from "node:fs";
import { join } from "node:path";
import { sessionCookieName } from "../../app/auth/sessions.server.ts";
import { Customer } from "../../tests/support/customer.ts";
import { insertOrders } from "../../tests/support/seed-data.ts";
import type { Shop } from "../../tests/support/shop.ts";
import { type BuildApart, build, buildProduction } from "./build.ts";

/** Returns the folder of the shop's Worker as built for production. */
export const production = sharing("the shop for production", buildProduction);

/** Returns the folder of the Worker of the page in tools/bench/bare. The page uses the shop's database tables and React
 *  Router's settings, and is built as by default. */
export const barePage = sharing("the bare page", () => {
	const shared = ["migrations", "package.json", "react-router.config.ts"];
	return build({ ".": "tools/bench/bare", ...Object.fromEntries(shared.map((file) => [file, file])) });
});

/** Returns a function that builds when it is first called, so that the parts share the build. The build is removed when
 *  the process exits. */
function sharing(name: string, start: () => Promise<BuildApart>): () => Promise<string> {
	let folder: Promise<string> | undefined;
	async function run(): Promise<string> {
		console.info(`Building ${name}…`);
		const built = await start();
		process.on("exit", () => rmSync(built.folder, { recursive: true, force: true }));
		return join(built.folder, "build/server");
	}
	return () => (folder ??= run());
}

/** Creates an account with orders and returns its request headers. */
export async function customerWith(shop: Shop, orders: number): Promise<Record<string, string>> {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	const created = Array.from({ length: orders }, (_, index) => 1_763_650_000 + index);
	await insertOrders(shop, await visitor.userId(), created);
	return { Cookie: `${sessionCookieName}=${visitor.cookie(sessionCookieName)}` };
}
