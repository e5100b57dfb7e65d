import { resolve } from "node:path";
import { expect, test } from "vitest";
import { type Unstable_Config as Config, unstable_readConfig as readConfig } from "wrangler";

// wrangler.toml repeats the local shop's settings for each deployed environment. The built Worker of other tests has the
// local ones.

const read = (env = {}): Config => readConfig({ config: "wrangler.toml", ...env }, { hideWarnings: true });
const local = read();
const production = read({ env: "production" });
const demo = read({ env: "demo" });
const environments = [local, production, demo];

test.each([production, demo])(
	"$targetEnvironment has the crons, limits, assets and runtime of the local shop",
	(deployed) => {
		const shared = ({ triggers, ratelimits, assets, compatibility_date, compatibility_flags }: Config) => ({
			...{ triggers, assets, compatibility_date, compatibility_flags },
			limits: ratelimits.map(({ name, simple }) => ({ name, simple })),
		});
		expect(shared(deployed)).toEqual(shared(local));
	},
);

test("each environment has its own name, SHOP_ID and namespaces of rate limits", () => {
	const ids = environments.flatMap(({ ratelimits }) => ratelimits.map(({ namespace_id }) => namespace_id));
	for (const values of [environments.map(({ name }) => name), environments.map(({ vars }) => vars["SHOP_ID"]), ids]) {
		expect(new Set(values).size).toBe(values.length);
	}
});

test.each([production, demo])("$targetEnvironment logs no URLs and uploads no source maps", (deployed) => {
	const { observability, upload_source_maps } = deployed;
	expect(observability).toEqual({ enabled: true, logs: { enabled: true, invocation_logs: false } });
	expect(upload_source_maps).toBe(false);
});

test("production runs the shop without the emulator, with the database of its own name", () => {
	const { main, d1_databases, services, durable_objects, migrations } = production;
	const withoutEmulator = (entries: object[]) => entries.filter((entry) => !/emulator/i.test(JSON.stringify(entry)));
	expect(main).toBe(resolve("app/entry.worker.ts"));
	expect(d1_databases).toMatchObject([{ binding: "DB", database_name: local.name, migrations_dir: "migrations" }]);
	expect(services).toEqual([]);
	expect(durable_objects.bindings).toEqual(withoutEmulator(local.durable_objects.bindings));
	expect(migrations).toEqual(withoutEmulator(local.migrations));
});

test("the demo runs the shop with the emulator, with its own database and Worker", () => {
	const { name, main, d1_databases, services, durable_objects, migrations } = demo;
	expect(main).toBe(resolve("local/entry.worker.ts"));
	expect(d1_databases).toMatchObject([{ binding: "DB", database_name: name, migrations_dir: "migrations" }]);
	expect(services).toEqual([
		{ binding: "STRIPE_EMULATOR", service: name, entrypoint: "StripeEmulator" },
		{ binding: "SHOP", service: name },
	]);
	expect({ durable_objects, migrations }).toEqual({
		durable_objects: local.durable_objects,
		migrations: local.migrations,
	});
});
