import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { deferPages } from "./shell/page-code.tsx";

function Shop() {
	// called while rendering, because React Router defines its globals only after this module has been evaluated
	deferPages();
	return <HydratedRouter />;
}

startTransition(() => {
	hydrateRoot(
		document,
		<StrictMode>
			<Shop />
		</StrictMode>,
	);
});

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
