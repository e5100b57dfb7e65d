import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { convertV4MiniflareOptions, type LegacyWorkerOptions, Miniflare } from "miniflare";
import { z } from "zod";
import { type Shop, shopAt } from "./shop.ts";

/** What of the built wrangler.json a Worker needs to run. */
const configuration = z.object({
	name: z.string(),
	main: z.string(),
	compatibility_date: z.string(),
	compatibility_flags: z.array(z.string()),
	vars: z.record(z.string(), z.string()),
	d1_databases: z.array(z.object({ binding: z.string(), migrations_dir: z.string() })),
	durable_objects: z.object({ bindings: z.array(z.object({ name: z.string(), class_name: z.string() })) }),
	ratelimits: z.array(
		z.object({
			name: z.string(),
			namespace_id: z.string(),
			simple: z.object({ limit: z.number(), period: z.literal(60) }),
		}),
	),
	services: z.array(z.object({ binding: z.string(), service: z.string(), entrypoint: z.string().optional() })),
});

/** The built modules, the entry first, as Miniflare wants them. */
async function modules(build: string, main: string) {
	const files = (await readdir(build, { recursive: true })).filter((file) => file.endsWith(".js") && file !== main);
	return Promise.all(
		[main, ...files].map(async (file) => ({
			type: "ESModule" as const,
			path: join(build, file),
			contents: await readFile(join(build, file), "utf8"),
		})),
	);
}

/** The statements of all migrations in their order. */
async function migrations(folder: string): Promise<string[]> {
	const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).toSorted();
	const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
	return texts.flatMap((text) => text.split("--> statement-breakpoint"));
}

interface BareShopOptions {
	/** The Worker's secrets. */
	secrets?: Record<string, string>;
	/** Where the build is. */
	build?: string;
	/** Whether it limits as the deployed shop does. Otherwise nobody is limited: whoever asks very often asks from one
	 *  address, or has one account. */
	limited?: boolean;
	/** A Worker that hears of everything the shop does, while it does it. */
	tail?: LegacyWorkerOptions & { name: string };
}

/** The built shop in Miniflare alone, without wrangler around it and several times as fast: for tests that ask very
 *  often. It serves no assets. Close it when done. */
export async function openBareShop({
	secrets = {},
	build = "build/server",
	limited = false,
	tail,
}: BareShopOptions = {}): Promise<Shop> {
	const config = configuration.parse(JSON.parse(await readFile(join(build, "wrangler.json"), "utf8")));
	const { name, durable_objects, services, d1_databases, ratelimits } = config;
	const [database] = d1_databases;
	if (!database) throw new Error("The build has no D1 binding.");
	const log: string[] = [];
	const shop = {
		name,
		modulesRoot: build,
		modules: await modules(build, config.main),
		compatibilityDate: config.compatibility_date,
		compatibilityFlags: config.compatibility_flags,
		bindings: { ...config.vars, ...secrets },
		d1Databases: [database.binding],
		durableObjects: Object.fromEntries(
			durable_objects.bindings.map(({ name, class_name }) => [name, { className: class_name, useSQLite: true }]),
		),
		ratelimits: Object.fromEntries(
			ratelimits.map(({ name, namespace_id, simple }) => [
				name,
				{ namespace_id, simple: limited ? simple : { ...simple, limit: 1e9 } },
			]),
		),
		serviceBindings: Object.fromEntries(
			services.map(({ binding, service, entrypoint }) => [
				binding,
				{ name: service, ...(entrypoint && { entrypoint }) },
			]),
		),
		...(tail && { streamingTails: [tail.name] }),
	};
	const options = convertV4MiniflareOptions({
		handleStructuredLogs: ({ message }) => void log.push(message),
		workers: tail ? [shop, tail] : [shop],
	});
	// cf: nobody is asked on the network where this machine is
	const miniflare = new Miniflare({ ...options, cf: false });
	const url = await miniflare.ready;
	const d1 = await miniflare.getD1Database(database.binding, name);
	await d1.batch((await migrations(join(build, database.migrations_dir))).map((statement) => d1.prepare(statement)));
	return { ...shopAt(url, d1), logs: () => log.join("\n"), close: () => miniflare.dispose() };
}
