// Installs the dependencies if they are missing, incomplete or older than the lock file, and those of each folder in the
// arguments, such as tools/bench. Must run on old versions of Node; later steps use the Node from optionalDependencies.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";

for (const folder of [".", ...process.argv.slice(2)]) await installIfStale(folder);

// npm 10 skips the packages for other platforms, and then deletes the symlink in .bin, because theirs has the same name
if (!existsSync("node_modules/.bin/node")) {
	// existsSync is also false for a dangling link, so remove it first
	rmSync("node_modules/.bin/node", { force: true });
	symlinkSync(`../${installedNode()}/bin/node`, "node_modules/.bin/node");
}

if (!existsSync("worker-configuration.d.ts") || !existsSync(".react-router/types")) {
	console.info("Writing the types of bindings and routes…");
	const { status } = spawnSync("npm", ["run", "--silent", "types"], { stdio: "inherit" });
	if (status !== 0) process.exit(1);
}

/** Runs `npm ci` in a folder, unless its packages are complete and as new as its lock file.
 *  @param {string} folder */
async function installIfStale(folder) {
	const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
	// npm writes this file last, so an interrupted installation is repeated
	const installedAt = changedAt(join(folder, "node_modules/.package-lock.json"));
	const isCurrent = installedAt >= changedAt(join(folder, "package-lock.json"));
	if (isCurrent && listIncomplete(folder, packages).length === 0) return;
	// the range in `engines` in package.json
	const [major = 0, minor = 0] = process.version.slice(1).split(".").map(Number);
	if (!((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22)) {
		console.error(
			`Installing the dependencies requires Node 22.12 or later, or Node 20 from 20.19. This is Node ${process.version}.`,
		);
		process.exit(1);
	}
	const what = folder === "." ? "dependencies (once, for a minute or two)" : `packages of ${folder} (once)`;
	console.info(`Installing the ${what}…`);
	if (!(await install(folder, Object.keys(packages).filter(Boolean)))) {
		console.error(
			"npm ci failed: see its message above. If package.json and package-lock.json are not in sync, run npm install, or " +
				"restore both with git checkout. Otherwise, check the access to the npm registry.",
		);
		process.exit(1);
	}
	const incomplete = listIncomplete(folder, packages);
	if (incomplete.length > 0) {
		const names = incomplete.map((path) => path.replace(/^.*node_modules\//, "") || "Node").join(", ");
		console.error(`npm ci skipped the native packages of ${names}. Is the npm registry reachable?`);
		process.exit(1);
	}
}

/** Runs `npm ci` in a folder and reports its progress, because npm prints none. Resolves to whether it succeeds.
 *  @param {string} folder
 *  @param {string[]} paths those of the packages in the lock file
 *  @returns {Promise<boolean>} */
function install(folder, paths) {
	// the time of a new file is up to 10 ms behind Date.now()
	const start = Date.now() - 1000;
	let seconds = 0;
	const timer = setInterval(() => {
		seconds += 2;
		const installed = paths.filter((path) => changedAt(join(folder, path, "package.json")) >= start).length;
		console.info(`  packages installed after ${seconds} s: ${installed}`);
		if (seconds === 30 && installed === 0) {
			console.info(
				"The npm registry does not respond: npm has downloaded nothing so far. It retries for several minutes.",
			);
		}
	}, 2000);
	const npm = spawn("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error", "--no-progress"], {
		cwd: folder,
		stdio: "inherit",
	});
	return new Promise((resolve) => {
		npm.on("error", ({ message }) => {
			console.error(message);
			resolve(false);
		});
		npm.on("exit", (code) => resolve(code === 0));
	}).finally(() => clearInterval(timer));
}

/** Returns the installed packages without any of the native packages that they list, one for each platform. npm skips
 *  an optional package that it cannot download or that requires a later Node, and succeeds.
 *  @param {string} folder
 *  @param {Record<string, { optionalDependencies?: object, cpu?: string[] }>} packages */
function listIncomplete(folder, packages) {
	return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => {
		const natives = Object.keys(optionalDependencies).filter((name) => packages[`node_modules/${name}`]?.cpu);
		const folders = [join(folder, path, "node_modules"), join(folder, "node_modules")];
		const isInstalled = natives.some((name) => folders.some((folder) => existsSync(join(folder, name))));
		return natives.length > 0 && existsSync(join(folder, path)) && !isInstalled ? [path] : [];
	});
}

/** Returns the name of the installed package with Node for this platform, if any. */
function installedNode() {
	const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
	return Object.keys(optionalDependencies).find((name) => existsSync(`node_modules/${name}`));
}

/** @param {string} path */
function changedAt(path) {
	return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
