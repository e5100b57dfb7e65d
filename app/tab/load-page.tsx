import { loadDocument } from "./tab.ts";

/** Loads the page again as a document, where nothing else can help. */
export function LoadPage({ className }: { className?: string }) {
	return (
		<button type="button" className={className} onClick={() => loadDocument()}>
			Load this page
		</button>
	);
}
