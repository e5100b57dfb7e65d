// Installs the dependencies when they are missing or older than the lock file. Runs before anything is installed, so
// it must be fine with an old Node; everything after it gets the Node of devDependencies.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";

/** @param {string} path */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

// npm writes this file last, so an interrupted installation does not count as one
if (changedAt("node_modules/.package-lock.json") < changedAt("package-lock.json")) {
	console.info("Installing the dependencies (once)…");
	const { status, error } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
		stdio: "inherit",
	});
	if (error) console.error(error.message);
	if (status !== 0) {
		console.error(
			"npm ci failed; its message above says why. The shop needs npm and Node 20 or later, and the npm registry.",
		);
		process.exit(1);
	}
}
