import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { importPages } from "./ui/page-code.ts";

const container = document.getElementById("shop");
if (!container) throw new Error("root.tsx must render #shop.");
const serverTags = document.querySelectorAll("head > :is(title, meta[name=description])");

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
void unregisterServiceWorkers();

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
