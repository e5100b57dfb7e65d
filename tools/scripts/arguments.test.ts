import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const help = "Usage: npm run paint -- [--color COLOR] [WALL…]";

/** Runs a script that reads its arguments and prints them. */
function paint(...args: string[]) {
	const script = `
		import { readArguments } from "./tools/scripts/arguments.ts";
		const options = { color: { type: "string", default: "white" } };
		console.info(JSON.stringify(readArguments(${JSON.stringify(help)}, options, (wall) => wall !== "ceiling")));
	`;
	const start = ["--input-type", "module", "-e", script, "--", "paint"];
	const { status, stdout, stderr } = spawnSync("node", [...start, ...args], { encoding: "utf8" });
	return { status, stdout, stderr };
}

test("a command receives its options with their defaults, and its other arguments", () => {
	const { stdout } = paint("north", "--color", "red");
	expect(JSON.parse(stdout)).toEqual({ values: { color: "red" }, positionals: ["north"] });
	expect(JSON.parse(paint().stdout)).toEqual({ values: { color: "white" }, positionals: [] });
});

test("a command with --help prints only its help, whatever else its arguments are", () => {
	expect(paint("--frobnicate", "ceiling", "--help")).toEqual({ status: 0, stdout: `${help}\n`, stderr: "" });
});

test.each([
	["--frobnicate", "Unknown option '--frobnicate'"],
	["--color", "Option '--color <value>' argument missing"],
	["ceiling", "Unknown argument: ceiling"],
])("a command with %s fails with the reason and its help", (argument, reason) => {
	expect(paint(argument)).toEqual({ status: 1, stdout: "", stderr: `${reason}\n\n${help}\n` });
});
