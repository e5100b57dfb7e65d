import { readdir, readFile } from "node:fs/promises";

/** Returns the resident memory of this process's workerd children, in bytes. Returns 0 on systems without /proc. */
export async function memoryOfWorkerd(): Promise<number> {
	const processes = await readdir("/proc").catch(() => []);
	const sizes = await Promise.all(
		processes.filter((name) => /^\d+$/.test(name)).map((id) => residentBytes(id).catch(() => 0)),
	);
	return sizes.reduce((sum, size) => sum + size, 0);
}

async function residentBytes(id: string): Promise<number> {
	const status = await readFile(`/proc/${id}/status`, "utf8");
	const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, "m").exec(status)?.[1];
	const isChild = field("Name") === "workerd" && field("PPid") === String(process.pid);
	return isChild ? Number(field("VmRSS")) * 1024 : 0;
}
