// Installs the dependencies if they are missing or older than the lock file. Must run on old versions of Node; later
// steps use the Node from optionalDependencies.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";

const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
/** Returns the name of the installed package with Node for this platform, if any. */
const installedNode = () => Object.keys(optionalDependencies).find((name) => existsSync(`node_modules/${name}`));

/** @param {string} path */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

// npm writes this file last, so an interrupted installation is repeated
const isCurrent = changedAt("node_modules/.package-lock.json") >= changedAt("package-lock.json");
if (!isCurrent || !installedNode()) {
	console.info("Installing the dependencies (once)…");
	const { status, error } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
		stdio: "inherit",
	});
	if (error) console.error(error.message);
	if (status !== 0) {
		console.error(
			"npm ci failed: see its message above. The shop needs Node 20 or later and access to the npm registry.",
		);
		process.exit(1);
	}
}

const node = installedNode();
if (!node) {
	// npm ci skips optional packages that it cannot download or verify, and succeeds
	console.error(
		`npm ci installed none of ${Object.keys(optionalDependencies).join(", ")}. Is the npm registry reachable?`,
	);
	process.exit(1);
}
// npm 10 skips the packages for other platforms, and then deletes the symlink in .bin, because theirs has the same name
if (!existsSync("node_modules/.bin/node")) {
	// existsSync is also false for a dangling link, so remove it first
	rmSync("node_modules/.bin/node", { force: true });
	symlinkSync(`../${node}/bin/node`, "node_modules/.bin/node");
}
