// Installs the dependencies when they are missing or older than the lock file. Runs before anything is installed, so
// it must be fine with an old Node; everything after it gets the Node of optionalDependencies.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";

const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
/** Returns the installed package with the Node of this platform, if there is one. */
const installedNode = () => Object.keys(optionalDependencies).find((name) => existsSync(`node_modules/${name}`));

/** @param {string} path */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

// npm writes this file last, so an interrupted installation does not count as one
const isCurrent = changedAt("node_modules/.package-lock.json") >= changedAt("package-lock.json");
if (!isCurrent || !installedNode()) {
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

const node = installedNode();
if (!node) {
	// npm ci succeeds without an optional package that it cannot download, or whose content has another hash
	console.error(
		`npm ci installed none of ${Object.keys(optionalDependencies).join(", ")}. Is the npm registry reachable?`,
	);
	process.exit(1);
}
// npm 10 removes the link: the packages of all platforms have one of this name, and it cleans up after those it skipped
if (!existsSync("node_modules/.bin/node")) {
	// it may point to a Node that is gone
	rmSync("node_modules/.bin/node", { force: true });
	symlinkSync(`../${node}/bin/node`, "node_modules/.bin/node");
}
