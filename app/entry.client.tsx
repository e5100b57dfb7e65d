import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { deferPages } from "./shell/page-code.tsx";

function Shop() {
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
