import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** Returns the variables in .dev.vars. */
export function readDevVars(): NodeJS.Dict<string> {
	return existsSync(".dev.vars") ? parseEnv(readFileSync(".dev.vars", "utf8")) : {};
}
