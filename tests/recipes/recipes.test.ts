import { describe, expect, test } from "vitest";
import { changed, readRecipes } from "./recipes.ts";

describe.each(readRecipes())("$title", ({ steps }) => {
	test.each(steps.filter((step) => "path" in step))("changes lines that $path has exactly once", (step) => {
		expect(() => changed(step.path, step)).not.toThrow();
	});
});
