import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { changed, readRecipes } from "./recipes.ts";

test("every line that a recipe changes exists exactly once", () => {
	const faults = readRecipes().flatMap(({ title, steps }) =>
		steps.flatMap((step) => {
			try {
				if ("path" in step) changed(step.path, step);
				return [];
			} catch (error) {
				return [`${title}: ${error instanceof Error ? error.message : error}`];
			}
		}),
	);
	const cure =
		"Change docs/recipes.md. In a shop of your own, delete this test, as the first lines of docs/recipes.md say";
	expect(faults, cure).toEqual([]);
});

test("every module that a recipe imports exists", () => {
	const imports = readFileSync("docs/recipes.md", "utf8").matchAll(/^\+import .* from "#?(.*)";$/gm);
	const paths = Array.from(imports, ([, path = ""]) => path).filter((path) => !path.startsWith("./+types/"));
	expect(paths).not.toEqual([]);
	expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});
