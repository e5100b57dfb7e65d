import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** Returns the options and the other arguments of a command. Prints `help` and exits if they contain --help, or, with an
 *  error, if an option is unknown or `isKnown` returns false for another argument. Call it before the command does
 *  anything. */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
	help: string,
	options: Options,
	isKnown: (argument: string) => boolean = () => false,
) {
	const args = process.argv.slice(2);
	if (args.includes("--help")) {
		console.info(help);
		process.exit();
	}
	try {
		const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
		const unknown = positionals.filter((argument) => !isKnown(argument));
		if (unknown.length > 0) throw new Error(`Unknown argument: ${unknown.join(" ")}`);
		return { values, positionals };
	} catch (error) {
		// the second sentence is about arguments that begin with "-"
		const [reason] = error instanceof Error ? error.message.split(/\.\s/) : [];
		return exit(`${reason}\n\n${help}`);
	}
}

/** Ends the process with an error message. */
export function exit(message: string): never {
	console.error(message);
	process.exit(1);
}
