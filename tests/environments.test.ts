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
