import { relative } from "node:path";

/** A mutant as Stryker's instrumenter lists it and its checkers receive it. */
export interface Mutant {
	id: string;
	fileName: string;
	mutatorName: string;
	replacement: string;
	location: Record<"start" | "end", { line: number; column: number }>;
}

/** Returns a name of the mutant that is the same in every run of the same code. Stryker's ids are not: they depend on
 *  which files are mutated. Stryker counts lines and columns from `first`: 1 in its results, 0 elsewhere. */
export function nameOf({ fileName, location, mutatorName, replacement }: Mutant, first: 0 | 1): string {
	const position = ({ line, column }: { line: number; column: number }) => `${line - first}:${column - first}`;
	return `${relative(root, fileName)} ${position(location.start)} ${position(location.end)} ${mutatorName} ${replacement}`;
}

const root = new URL("../..", import.meta.url).pathname;

/** A Stryker checker that lets only the mutants in the option `chosen` run. Stryker itself can choose files and ranges of
 *  lines, but not mutants. */
function onlyChosen({ chosen }: { chosen: string[] }) {
	const names = new Set(chosen);
	return {
		init: async () => undefined,
		check: async (mutants: Mutant[]) =>
			Object.fromEntries(
				mutants.map((mutant) => [
					mutant.id,
					names.has(nameOf(mutant, 0)) ? { status: "passed" } : { status: "compileError", reason: "not chosen" },
				]),
			),
	};
}
onlyChosen.inject = ["options"];

export const strykerPlugins = [{ kind: "Checker", name: "chosen", factory: onlyChosen }];
