import { brotliCompressSync } from "node:zlib";

/** A built script or stylesheet. */
interface BuiltFile {
	path: string;
	/** Size after brotli compression. */
	bytes: number;
	imports: string[];
}

/** Built files by path, because pages share files, and compressing takes longer than all else here. */
const builtFiles = new Map<string, Promise<BuiltFile>>();

/** Lists the scripts and stylesheets that a browser loads before any interaction: those referenced by the document and
 *  their static imports, but not code that is imported after the page has loaded. */
export async function listPageFiles(page: string, get: (path: string) => Promise<Response>): Promise<BuiltFile[]> {
	const html = await (await get(page)).text();
	const files = new Map<string, BuiltFile>();
	async function load(path: string): Promise<void> {
		if (files.has(path)) return;
		const loading = builtFiles.get(path) ?? read(path, get);
		builtFiles.set(path, loading);
		const file = await loading;
		files.set(path, file);
		for (const imported of file.imports) await load(imported);
	}
	for (const path of filesOf(html)) await load(path);
	return [...files.values()];
}

async function read(path: string, get: (path: string) => Promise<Response>): Promise<BuiltFile> {
	const text = await (await get(path)).text();
	const imports = importsOf(text).map((imported) => new URL(imported, `file://${path}`).pathname);
	return { path, imports, bytes: brotliCompressSync(text).length };
}

/** Returns the bytes of files by name, without the hash that the build adds. */
export function bytesByName(files: BuiltFile[]): Record<string, number> {
	const bytes: Record<string, number> = {};
	for (const file of files) {
		const name = file.path.replace(/^.*\//, "").replace(/-[\w-]{8}(\.\w+)$/, "$1");
		bytes[name] = (bytes[name] ?? 0) + file.bytes;
	}
	return bytes;
}

function filesOf(html: string): string[] {
	const links = [...html.matchAll(/<link [^>]*rel="(?:modulepreload|stylesheet)"[^>]*>/g)].map(
		([link]) => /href="([^"]+)"/.exec(link)?.[1] ?? "",
	);
	const scripts = [...html.matchAll(/<script(?<attributes>[^>]*)>(?<code>.*?)<\/script>/gs)].flatMap(({ groups }) => {
		const source = /src="([^"]+)"/.exec(groups?.["attributes"] ?? "")?.[1];
		const code = groups?.["code"] ?? "";
		// the inline script imports the entry dynamically
		return [...(source ? [source] : []), ...importsOf(code), ...importsOf(code.replaceAll("import(", "import "))];
	});
	return [...links, ...scripts];
}

/** Returns the static imports of a script. */
function importsOf(script: string): string[] {
	return [...script.matchAll(/\b(?:from|import)\s*["'`]([^"'`]+\.js)["'`]/g)].map(([, path = ""]) => path);
}
