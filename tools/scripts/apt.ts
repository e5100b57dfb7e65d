import { existsSync } from "node:fs";
import { run } from "./run.ts";

const apt = "/usr/bin/apt-get";

/** Installs packages of Debian or Ubuntu, as root or with sudo. Returns whether it succeeded. */
export async function installPackages(...names: string[]): Promise<boolean> {
	if (!existsSync(apt)) return false;
	const [program = "", ...args] = process.getuid?.() === 0 ? [apt] : ["sudo", apt];
	const call = (...more: string[]) => run(program, [...args, ...more]).catch(() => false);
	return (await call("update")) && (await call("install", "-y", "--no-install-recommends", ...names));
}
