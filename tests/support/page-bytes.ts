import { brotliCompressSync } from "node:zlib";

/** A script or stylesheet of a page. */
export interface PageFile {
	path: string;
	/** Size after brotli compression. */
	bytes: number;
}

/** Built files by path. A file never changes, because its path contains a hash of its content. */
const builtFiles = new Map<string, Promise<{ bytes: number; imports: string[] }>>();

/** Lists the scripts and stylesheets that a browser loads before any interaction: those referenced by the document and
 *  their static imports, but not code that is imported when idle. */
export async function listPageFiles(page: string, get: (path: string) => Promise<Response>): Promise<PageFile[]> {
	const html = await (await get(page)).text();
	const files = new Map<string, number>();
	async function load(path: string): Promise<void> {
		if (files.has(path)) return;
		files.set(path, 0);
		const file = builtFiles.get(path) ?? measure(path, get);
		builtFiles.set(path, file);
		const { bytes, imports } = await file;
		files.set(path, bytes);
		for (const imported of imports) await load(imported);
	}
	for (const path of filesOf(html)) await load(path);
	return [...files].map(([path, bytes]) => ({ path, bytes }));
}

async function measure(path: string, get: (path: string) => Promise<Response>) {
	const text = await (await get(path)).text();
	const imports = importsOf(text).map((imported) => new URL(imported, `file://${path}`).pathname);
	return { bytes: brotliCompressSync(text).length, imports };
}

export function totalBytes(files: PageFile[]): number {
	return files.reduce((total, { bytes }) => total + bytes, 0);
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
