import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { importPages } from "./shell/page-code.ts";
import { tryApi } from "./ui/try-api.ts";

const container = document.getElementById("shop");
if (!container) throw new Error("root.tsx must render #shop.");
const serverTags = document.querySelectorAll("head > :is(title, meta[name=description])");

if (isCopy(container.dataset["path"])) leaveAsIs();
else hydrate(container);
void unregisterServiceWorkers();

/** Returns whether an archive, a cache or a mirror shows a document at another path than the one that was requested. React
 *  Router would render an error in its place. */
function isCopy(path = location.pathname): boolean {
	// Cloudflare may have changed the escapes
	const decoded = (path: string) => tryApi(() => decodeURI(path));
	return decoded(path) !== decoded(location.pathname);
}

/** Shows the document as in a browser without scripts: its links work, and buttons that need React are hidden. */
function leaveAsIs(): void {
	const removeTheme = () => void delete document.documentElement.dataset["theme"];
	removeTheme();
	// apply-theme.ts sets it again after Back
	addEventListener("theme", removeTheme);
	dispatchEvent(new Event("hydrated"));
}

function hydrate(container: HTMLElement): void {
	startTransition(() => {
		hydrateRoot(
			container,
			<StrictMode>
				<HydratedRouter />
			</StrictMode>,
			{
				onRecoverableError(error) {
					reportError(error);
					// another program has changed the page, so React has rendered it again, with its tags in the head
					const isTwice = document.querySelectorAll("head > title").length > 1;
					if (isTwice) for (const tag of serverTags) tag.remove();
				},
			},
		);
	});
	importPages();
}

/** Unregisters the service worker of an earlier version of the shop, which would keep serving that version. */
async function unregisterServiceWorkers(): Promise<void> {
	try {
		// if site data is blocked, Firefox logs an error for each call of getRegistrations
		if (!navigator.serviceWorker.controller) return;
		for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
	} catch {
		// navigator.serviceWorker is missing on an insecure origin
	}
}
