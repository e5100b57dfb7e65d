import { expect, test } from "vitest";
import { readSources } from "./support/sources.ts";

test("only brand.ts has the shop's name, among the files of app/ and public/", () => {
	const files = readSources("{app,public}", "ts,tsx,css,txt,svg,html");
	const named = files.filter(({ text }) => /half.?dozen/i.test(text)).map(({ path }) => path);
	expect(named.filter((path) => path !== "app/brand.ts")).toEqual([]);
});
