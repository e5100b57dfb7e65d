import type { Plugin } from "vite";

interface PackageFile {
	path: RegExp;
	/** Text that identifies the file when its path contains a hash. */
	contains?: string;
	replacements: [pattern: RegExp, replacement: string][];
}

/** Returns a plugin that edits the source of packages in the browser build. Throws if a pattern matches nothing, so
 *  that an upgrade that changes the source fails the build. */
export function replaceInPackages(name: string, files: PackageFile[]): Plugin {
	return {
		name,
		enforce: "pre",
		applyToEnvironment: (environment) => environment.name === "client",
		transform: {
			filter: { id: files.map(({ path }) => path) },
			handler(code, id) {
				const file = files.find(({ path, contains = "" }) => path.test(id) && code.includes(contains));
				return file?.replacements.reduce((code, [pattern, replacement]) => {
					if (code.search(pattern) >= 0) return code.replaceAll(pattern, replacement);
					throw new Error(`${name}: ${pattern} matches nothing in ${id}. Update or remove this pattern.`);
				}, code);
			},
		},
	};
}
