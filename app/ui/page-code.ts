/** What the browser needs to know of a page before it opens it. */
export interface PageCode {
	/** The route's id. */
	id: string;
	/** Whether the page has a loader besides the customer's. */
	hasLoader: boolean;
	/** The URLs of the page's code, first the module that imports the rest. */
	files: string[];
}

/** The pages by the pattern of their route, as entry.server.tsx lists them. */
export const pages: Record<string, PageCode | undefined> = import.meta.env.SSR ? {} : readPages();

function readPages(): typeof pages {
	return JSON.parse(document.getElementById("pages")?.textContent ?? "{}");
}

/** Imports the code of the page with this pattern. If that fails, as after a deployment, handle-failures.client.ts loads
 *  the page as a document. */
export async function importPage(pattern: string): Promise<void> {
	const [module] = pages[pattern]?.files ?? [];
	if (module) await import(/* @vite-ignore */ module);
}

/** Imports the code of every page after this one has loaded, so that a click finds it. */
export function importPages(): void {
	// after the load event, so that the code does not delay the pictures
	const importSoon = () => setTimeout(importAll, 200);
	if (document.readyState === "complete") importSoon();
	else addEventListener("load", importSoon);
	addEventListener("online", importAll);
}

async function importAll(): Promise<void> {
	for (const [pattern, page] of Object.entries(pages)) {
		try {
			// Firefox never repeats an import that has failed, so only what can be fetched is imported
			await Promise.all(page?.files.map(fetchFile) ?? []);
			await importPage(pattern);
		} catch {
			// the navigation that needs it tries again
		}
	}
}

async function fetchFile(file: string): Promise<void> {
	const response = await fetch(file, { priority: "low" });
	if (!response.ok) throw new Error(`${file}: ${response.status}`);
	// an unread body may not be cached
	await response.text();
}
