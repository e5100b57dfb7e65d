import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Customer } from "../../tests/support/customer.ts";
import { insertOrders } from "../../tests/support/seed-data.ts";
import { openShop, type Shop } from "../../tests/support/shop.ts";
import { type BuildApart, build, buildProduction } from "./build.ts";

/** Builds the shop for production, calls `use` and removes the build. */
export function withProduction<Result>(use: (build: BuildApart) => Promise<Result>): Promise<Result> {
	console.info("Building the shop for production…");
	return using(buildProduction(), use);
}

/** Builds the page in tools/bench/bare, calls `use` and removes the build. The page uses the shop's database tables and
 *  React Router's settings, and is built as by default. */
export function withBarePage<Result>(use: (build: BuildApart) => Promise<Result>): Promise<Result> {
	console.info("Building the bare page…");
	return using(
		build([
			...["app", "wrangler.toml", "vite.config.ts"].map((file): [string, string] => [`tools/bench/bare/${file}`, file]),
			...["migrations", "package.json", "react-router.config.ts"].map((file): [string, string] => [file, file]),
		]),
		use,
	);
}

async function using<Result>(building: Promise<BuildApart>, use: (build: BuildApart) => Promise<Result>) {
	const { folder, ...built } = await building;
	try {
		return await use({ folder, ...built });
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Starts a build in workerd, by default without assets, because Cloudflare serves assets without the Worker. */
export const open = ({ folder }: BuildApart, assets = false) =>
	openShop({ build: join(folder, "build/server"), assets });

/** Creates an account with orders and returns its request headers. */
export async function customerWith(shop: Shop, orders: number): Promise<Record<string, string>> {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	const id = await shop.d1.prepare("select id from users where email = ?").bind(visitor.email).first<string>("id");
	const created = Array.from({ length: orders }, (_, index) => 1_763_650_000 + index);
	await insertOrders(shop, id, created);
	return { Cookie: `__Host-session=${visitor.cookie("__Host-session")}` };
}
