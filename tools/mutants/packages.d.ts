// Declare what is used of Stryker's packages, which only `npm run test:mutants` installs.
declare module "@stryker-mutator/core" {
	import type { Mutant } from "./mutant.ts";

	export class Stryker {
		constructor(options: object);
		runMutationTest(): Promise<(Mutant & { status: string; statusReason?: string; killedBy?: string[] })[]>;
	}
}

declare module "@stryker-mutator/instrumenter" {
	import type { Mutant } from "./mutant.ts";

	export class Instrumenter {
		constructor(logger: object);
		instrument(
			files: { name: string; content: string; mutate: boolean }[],
			options: object,
		): Promise<{ mutants: Mutant[] }>;
	}
}
