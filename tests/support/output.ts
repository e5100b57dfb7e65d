import { type EventEmitter, once } from "node:events";
import type { Readable } from "node:stream";

type Child = EventEmitter & { stdout: Readable; stderr: Readable };

/** Resolves with the exit code and the output of a process. Calls `onPrint` with the output so far. */
export async function outputOf(child: Child, onPrint?: (printed: string) => void) {
	let printed = "";
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding("utf8").on("data", (text) => {
			printed += text;
			onPrint?.(printed);
		});
	}
	const [code] = await once(child, "close");
	return { code, printed };
}
