import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LegacyWorkerOptions } from "miniflare";
import { z } from "zod";
import type { Timeouts } from "#app/services.server.ts";

/** The parts of the built wrangler.json that a Worker needs to run. */
const configuration = z.object({
	name: z.string(),
	main: z.string(),
	compatibility_date: z.string(),
	compatibility_flags: z.array(z.string()),
	vars: z.record(z.string(), z.string()),
	assets: z.object({ directory: z.string() }),
	d1_databases: z.tuple([z.object({ binding: z.string(), migrations_dir: z.string() })]),
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

export type NamedWorker = LegacyWorkerOptions & { name: string };

/** Milliseconds: longer than the busiest machine takes. Tests of a time limit set their own. */
const generousTimeouts: Record<keyof Timeouts, number> = {
	request: 100_000,
	response: 110_000,
	cron: 100_000,
	stripeCall: 50_000,
	feed: 50_000,
	rateLimit: 50_000,
	hashQueue: 100_000,
};

interface Options {
	/** The Worker's secrets. */
	secrets: Record<string, string>;
	/** Whether its rate limits are those of wrangler.toml. Otherwise they are too high to be reached. */
	limited: boolean;
	/** Whether it serves its assets. */
	assets: boolean;
	/** A streaming tail Worker, which receives the events of the built one. */
	tail: NamedWorker | undefined;
}

/** Reads a build for Miniflare. Returns the Workers to run, the name and the D1 binding of the built one, and the
 *  statements of all migrations in their order. */
export async function readBuild(folder: string, { secrets, limited, assets, tail }: Options) {
	const config = configuration.parse(JSON.parse(await readFile(join(folder, "wrangler.json"), "utf8")));
	const [database] = config.d1_databases;
	const shop = {
		name: config.name,
		modulesRoot: folder,
		modules: await modules(folder, config.main),
		compatibilityDate: config.compatibility_date,
		compatibilityFlags: config.compatibility_flags,
		bindings: { ...config.vars, ...secrets, TIMEOUTS: generousTimeouts },
		d1Databases: [database.binding],
		durableObjects: Object.fromEntries(
			config.durable_objects.bindings.map(({ name, class_name }) => [name, { className: class_name, useSQLite: true }]),
		),
		serviceBindings: {
			...Object.fromEntries(
				config.services.map(({ binding, service, entrypoint }) => [
					binding,
					{ name: service, ...(entrypoint && { entrypoint }) },
				]),
			),
			...(limited &&
				Object.fromEntries(
					config.ratelimits.map(({ name, simple }) => [name, { name: limiter.name, props: { name, ...simple } }]),
				)),
		},
		...(!limited && {
			ratelimits: Object.fromEntries(
				config.ratelimits.map(({ name, ...rateLimit }) => [
					name,
					{ ...rateLimit, simple: { ...rateLimit.simple, limit: 1e9 } },
				]),
			),
		}),
		...(tail && { streamingTails: [tail.name] }),
		...(assets && {
			assets: { directory: join(folder, config.assets.directory), routerConfig: { has_user_worker: true } },
		}),
	} satisfies NamedWorker;
	return {
		name: config.name,
		workers: [shop, ...(limited ? [limiter] : []), ...(tail ? [tail] : [])],
		binding: database.binding,
		migrations: await migrations(join(folder, database.migrations_dir)),
	};
}

/** Counts like Cloudflare's rate timeouts, over a period that never ends: on a slow machine 31 requests take longer than a
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
			const counted = name + " " + key;
			const count = (counts.get(counted) ?? 0) + 1;
			counts.set(counted, count);
			return { success: count <= limit };
		}
	}`,
};

/** The built modules, the entry first, as Miniflare requires. */
async function modules(folder: string, main: string) {
	const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".js") && file !== main);
	return Promise.all(
		[main, ...files].map(async (file) => ({
			type: "ESModule" as const,
			path: join(folder, file),
			contents: await readFile(join(folder, file), "utf8"),
		})),
	);
}

async function migrations(folder: string): Promise<string[]> {
	const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).toSorted();
	const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
	return texts.flatMap((text) => text.split("--> statement-breakpoint"));
}
