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
