import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

let home: string;
beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), "half-dozen-home-"));
	vi.stubEnv("XDG_CONFIG_HOME", undefined);
	vi.resetModules();
});
afterEach(async () => {
	vi.unstubAllEnvs();
	await rm(home, { recursive: true });
});

test("wrangler keeps its files, such as a login, in a writable home directory", async () => {
	vi.stubEnv("HOME", home);
	const { environment } = await import("./run.ts");
	expect(environment.XDG_CONFIG_HOME).toBe(undefined);
	await expect(access(join(home, ".config"))).rejects.toThrow("ENOENT");
});

test("wrangler keeps its files in node_modules if it cannot create a folder in the home directory", async () => {
	// not a folder; root could create a folder anywhere else
	vi.stubEnv("HOME", "/dev/null");
	const { environment } = await import("./run.ts");
	expect(environment.XDG_CONFIG_HOME).toBe(resolve("node_modules/.cache"));
});
