import { expect, test } from "vitest";
import { changed, readRecipes } from "./recipes/recipes.ts";

const recipes = readRecipes();

test("docs/recipes.md has the recipes that the README lists", () => {
	expect(recipes.length).toBeGreaterThan(5);
});

// `npm run test:recipes` performs them
test.each(recipes)("the changes of the recipe '$title' apply to the repository", ({ steps }) => {
	for (const step of steps) if ("path" in step) changed(step.path, step);
});
