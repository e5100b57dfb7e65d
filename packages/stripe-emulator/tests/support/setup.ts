import type { TestProject } from "vitest/node";
import { buildHost } from "./build-host.ts";

declare module "vitest" {
	interface ProvidedContext {
		/** The source of the Worker bundled from host.worker.ts. */
		hostScript: string;
	}
}

/** Builds the host once for all test files. */
export default async function setup({ provide }: TestProject): Promise<void> {
	provide("hostScript", await buildHost());
}
