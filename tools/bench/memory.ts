import { readdir, readFile } from "node:fs/promises";

/** Bytes of resident memory of the workerd processes that this process has started; 0 where there is no /proc. */
export async function memoryOfWorkerd(): Promise<number> {
	const processes = await readdir("/proc").catch(() => []);
	const sizes = await Promise.all(
		processes.filter((name) => /^\d+$/.test(name)).map((id) => residentIfOurs(id).catch(() => 0)),
	);
	return sizes.reduce((sum, size) => sum + size, 0);
}

async function residentIfOurs(id: string): Promise<number> {
	const status = await readFile(`/proc/${id}/status`, "utf8");
	const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, "m").exec(status)?.[1];
	const isOurs = field("Name") === "workerd" && field("PPid") === String(process.pid);
	return isOurs ? Number(field("VmRSS")) * 1024 : 0;
}
