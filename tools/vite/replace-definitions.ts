import { type ESTree, type Plugin, parseAst, Visitor } from "vite";

/** Returns a plugin that replaces functions and variables of a package in the browser build: a function's body, or a
 *  variable's initial value, by its name. `files` matches the package's files, one of which defines all of the names.
 *  Throws if the build loads the package but not exactly one definition of each name, so that an upgrade that changes
 *  the source fails the build. */
export function replaceDefinitions(plugin: string, files: RegExp, replacements: Record<string, string>): Plugin {
	const names = Object.keys(replacements);
	let isLoaded = false;
	let isReplaced = false;
	return {
		name: plugin,
		apply: "build",
		enforce: "pre",
		applyToEnvironment: (environment) => environment.name === "client",
		transform: {
			filter: { id: files },
			handler(code, id) {
				isLoaded = true;
				const found = findDefinitions(code).filter(({ name }) => names.includes(name));
				if (found.length === 0) return;
				isReplaced = true;
				for (const name of names) {
					const { length } = found.filter((definition) => definition.name === name);
					if (length !== 1) {
						throw new Error(`${plugin}: ${name} is defined ${length} times in ${id}. Update or remove this rule.`);
					}
				}
				return found
					.toSorted((a, b) => b.start - a.start)
					.reduce((code, { name, start, end }) => code.slice(0, start) + replacements[name] + code.slice(end), code);
			},
		},
		buildEnd(error) {
			if (error || !isLoaded || isReplaced) return;
			throw new Error(`${plugin}: no file in ${files} defines ${names.join(", ")}. Update or remove this plugin.`);
		},
	};
}

interface Definition {
	name: string;
	/** The range of the function's body or of the variable's initial value. */
	start: number;
	end: number;
}

function findDefinitions(code: string): Definition[] {
	const definitions: Definition[] = [];
	const add = (name: ESTree.BindingPattern | null, value: ESTree.Span | null) => {
		if (name?.type === "Identifier" && value) definitions.push({ name: name.name, start: value.start, end: value.end });
	};
	new Visitor({
		// biome-ignore lint/correctness/noComponentHookFactories: a kind of syntax node
		FunctionDeclaration: ({ id, body }) => add(id, body),
		// biome-ignore lint/correctness/noComponentHookFactories: a kind of syntax node
		VariableDeclarator: ({ id, init }) => add(id, init),
	}).visit(parseAst(code));
	return definitions;
}
