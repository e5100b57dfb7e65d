import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { deferPages } from "./shell/page-code.tsx";

function Shop() {
	// called while rendering, because React Router defines its globals only after this module has been evaluated
	deferPages();
	return <HydratedRouter />;
}

// When a navigation skips the view transition of an earlier one, `ready` rejects. React Router does not handle it.
const startViewTransition = document.startViewTransition?.bind(document);
if (startViewTransition) {
	document.startViewTransition = (update) => {
		const transition = startViewTransition(update);
		transition.ready.catch(() => {});
		return transition;
	};
}

startTransition(() => {
	hydrateRoot(
		document,
		<StrictMode>
			<Shop />
		</StrictMode>,
	);
});
