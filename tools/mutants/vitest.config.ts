import { configDefaults, mergeConfig } from "vitest/config";
import tests from "../../tests/vitest.config.ts";

/** The simulation and the unit tests of the shop. */
export default mergeConfig(tests, {
	test: {
		project: ["unit*", "simulation"],
		setupFiles: "tools/mutants/end-with-parent.ts",
		// Stryker runs two mutants at a time
		maxWorkers: 1,
		exclude: [
			...configDefaults.exclude,
			"{local,packages,tools}/**",
			// some read the source code, which Stryker changes
			"tests/{,recipes/}*.test.ts",
			// tests/imports.test.ts ensures that these folders do not import the mutated code
			"app/{auth,catalogue,http,theme,ui}/**",
		],
	},
});
