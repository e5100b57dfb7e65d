// Installs the dependencies if they are missing, incomplete or older than the lock file. Must run on old versions of
// Node; later steps use the Node from optionalDependencies.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";

const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
/** Returns the name of the installed package with Node for this platform, if any. */
const installedNode = () => Object.keys(optionalDependencies).find((name) => existsSync(`node_modules/${name}`));

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));

/** Returns the installed packages without any of the native packages that they list, one for each platform. npm skips
 *  an optional package that it cannot download or that requires a later Node, and succeeds. */
function listIncomplete() {
	return Object.keys(packages).filter((path) => {
		const natives = Object.keys(packages[path].optionalDependencies ?? {}).filter(
			(name) => packages[`node_modules/${name}`]?.cpu,
		);
		const folders = [`${path || "."}/node_modules`, "node_modules"];
		const isInstalled = natives.some((name) => folders.some((folder) => existsSync(`${folder}/${name}`)));
		return natives.length > 0 && existsSync(path || ".") && !isInstalled;
	});
}

/** @param {string} path */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

// npm writes this file last, so an interrupted installation is repeated
const isCurrent = changedAt("node_modules/.package-lock.json") >= changedAt("package-lock.json");
if (!isCurrent || listIncomplete().length > 0) {
	// the range in `engines` in package.json
	const [major = 0, minor = 0] = process.version.slice(1).split(".").map(Number);
	if (!((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22)) {
		console.error(
			`Installing the dependencies requires Node 22.12 or later, or Node 20 from 20.19. This is Node ${process.version}.`,
		);
		process.exit(1);
	}
	console.info("Installing the dependencies (once, for a minute or two)…");
	const { status, error } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
		stdio: "inherit",
	});
	if (error) console.error(error.message);
	if (status !== 0) {
		console.error("npm ci failed: see its message above. It requires access to the npm registry.");
		process.exit(1);
	}
	const incomplete = listIncomplete();
	if (incomplete.length > 0) {
		const names = incomplete.map((path) => path.replace(/^.*node_modules\//, "") || "Node").join(", ");
		console.error(`npm ci skipped the native packages of ${names}. Is the npm registry reachable?`);
		process.exit(1);
	}
}

// npm 10 skips the packages for other platforms, and then deletes the symlink in .bin, because theirs has the same name
if (!existsSync("node_modules/.bin/node")) {
	// existsSync is also false for a dangling link, so remove it first
	rmSync("node_modules/.bin/node", { force: true });
	symlinkSync(`../${installedNode()}/bin/node`, "node_modules/.bin/node");
}

// editors read these types
if (!existsSync("worker-configuration.d.ts") || !existsSync(".react-router/types")) {
	console.info("Writing the types of bindings and routes…");
	const { status } = spawnSync("npm", ["run", "--silent", "types"], { stdio: "inherit" });
	if (status !== 0) process.exit(1);
}
