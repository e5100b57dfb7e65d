import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LegacyWorkerOptions } from "miniflare";
import { z } from "zod";
import type { Services } from "../../app/http/services.server.ts";

const rateLimit = z.object({ limit: z.number(), period: z.literal(60) });
/** The parts of the built wrangler.json that Miniflare needs. */
const configuration = z.object({
	name: z.string(),
	main: z.string(),
	compatibility_date: z.string(),
	compatibility_flags: z.array(z.string()),
	vars: z.record(z.string(), z.string()),
	assets: z.object({ directory: z.string() }),
	d1_databases: z.tuple([z.object({ binding: z.string(), migrations_dir: z.string() })]),
	durable_objects: z.object({ bindings: z.array(z.object({ name: z.string(), class_name: z.string() })) }),
	ratelimits: z.array(z.object({ name: z.string(), namespace_id: z.string(), simple: rateLimit })),
	services: z.array(z.object({ binding: z.string(), service: z.string(), entrypoint: z.string().optional() })),
});

export type NamedWorker = LegacyWorkerOptions & { name: string };

/** Timeouts in milliseconds, long enough for a busy machine. Tests of a timeout set their own. */
const generousTimeouts: Record<keyof Services["timeouts"], number> = {
	...{ work: 100_000, response: 110_000, cron: 100_000, hashQueue: 100_000 },
	...{ read: 50_000, stripeCall: 50_000, feed: 50_000, rateLimit: 50_000 },
};

/** The lowest cost that scrypt accepts. A hash at the deployed cost takes 0.1 s of CPU. */
const cheapHash: Record<keyof Services["passwordCost"], number> = { N: 2, r: 1, p: 1 };

export interface BuildOptions {
	secrets: Record<string, string>;
	/** Whether the rate limits in wrangler.toml apply. By default the limits are too high to reach, because all browsers
	 *  on this machine share one IP address. */
	limited: boolean;
	/** Whether the Worker serves its assets. True by default. */
	assets: boolean;
	/** A streaming tail Worker that receives the shop's events. */
	tail: NamedWorker;
	/** Receives the shop's requests to other servers, such as Stripe: a function or another Worker. */
	outbound:
		| { name: string; entrypoint: string }
		| ((request: {
				method: string;
				url: string;
				headers: Iterable<[string, string]>;
				text(): Promise<string>;
		  }) => Promise<Response>);
}

/** Reads a build for Miniflare. Returns the shop's Worker, all Workers to run, and the SQL statements of all migrations
 *  in order. */
export async function readBuild(folder: string, options: Partial<BuildOptions> = {}) {
	const { secrets, limited = false, assets = true, tail, outbound } = options;
	const config = configuration.parse(JSON.parse(await readFile(join(folder, "wrangler.json"), "utf8")));
	const [database] = config.d1_databases;
	const services = config.services.map(({ binding, service, entrypoint }) => [
		binding,
		{ name: service, ...(entrypoint && { entrypoint }) },
	]);
	const limiters = config.ratelimits.map(({ name, simple }) => [
		name,
		{ name: limiter.name, props: { name, ...simple } },
	]);
	const unlimited = config.ratelimits.map(({ name, ...limit }) => [
		name,
		{ ...limit, simple: { ...limit.simple, limit: 1e9 } },
	]);
	const shop = {
		name: config.name,
		modulesRoot: folder,
		modules: await readModules(folder, config.main),
		compatibilityDate: config.compatibility_date,
		compatibilityFlags: config.compatibility_flags,
		bindings: { ...config.vars, ...secrets, TIMEOUTS: generousTimeouts, PASSWORD_COST: cheapHash },
		d1Databases: [database.binding],
		durableObjects: Object.fromEntries(
			config.durable_objects.bindings.map(({ name, class_name }) => [name, { className: class_name, useSQLite: true }]),
		),
		serviceBindings: Object.fromEntries([...services, ...(limited ? limiters : [])]),
		...(!limited && { ratelimits: Object.fromEntries(unlimited) }),
		...(tail && { streamingTails: [tail.name] }),
		...(outbound && { outboundService: outbound }),
		...(assets && {
			assets: { directory: join(folder, config.assets.directory), routerConfig: { has_user_worker: true } },
		}),
	} satisfies NamedWorker;
	return {
		shop,
		workers: [shop, d1Worker(database.binding), ...(limited ? [limiter] : []), ...(tail ? [tail] : [])],
		migrations: await readMigrations(join(folder, database.migrations_dir)),
	};
}

/** Works like Cloudflare's rate limits, but never resets its counts: on a slow machine, 31 requests take longer than a
 *  minute. */
const limiter: NamedWorker = {
	name: "limiter",
	modules: true,
	compatibilityDate: "2026-10-01",
	script: `import { WorkerEntrypoint } from "cloudflare:workers";

	const counts = new Map();

	export default class extends WorkerEntrypoint {
		limit({ key }) {
			const { name, limit } = this.ctx.props;
			const counter = name + " " + key;
			const count = (counts.get(counter) ?? 0) + 1;
			counts.set(counter, count);
			return { success: count <= limit };
		}
	}`,
};

/** Makes the D1 calls of a test. With Miniflare's own D1Database, a test waits for workerd at each `prepare` and each
 *  `bind`, not only at the call. */
const d1Worker = (binding: string): NamedWorker => ({
	name: "d1",
	modules: true,
	compatibilityDate: "2026-10-01",
	d1Databases: { DB: binding },
	unsafeDirectSockets: [{}],
	script: `export default {
		async fetch(request, { DB }) {
			const { statements, raw } = await request.json();
			const prepared = statements.map(({ sql, values }) => DB.prepare(sql).bind(...values));
			try {
				return Response.json(raw ? await prepared[0].raw() : await DB.batch(prepared));
			} catch (error) {
				return new Response(error.message, { status: 500 });
			}
		},
	};`,
});

/** Returns the built modules. The entry point comes first, as Miniflare requires. */
async function readModules(folder: string, main: string) {
	const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".js") && file !== main);
	return Promise.all(
		[main, ...files].map(async (file) => ({
			type: "ESModule" as const,
			path: join(folder, file),
			contents: await readFile(join(folder, file), "utf8"),
		})),
	);
}

async function readMigrations(folder: string): Promise<string[]> {
	const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).toSorted();
	const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
	return texts.flatMap((text) => text.split("--> statement-breakpoint"));
}
