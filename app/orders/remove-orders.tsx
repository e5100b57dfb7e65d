import { Form, useNavigation } from "react-router";
import type { FailedForm } from "#app/tab/intercepted.ts";
import { LoadPage } from "#app/tab/load-page.tsx";

/** Lets a guest remove their orders from a browser that others use. */
export function RemoveOrders({ failed }: { failed: FailedForm | undefined }) {
	const isBusy = useNavigation().state !== "idle";
	return (
		<Form method="post" action="/orders" replace onSubmit={(event) => isBusy && event.preventDefault()}>
			<button type="submit" className="quiet" aria-disabled={isBusy}>
				Not your computer? Remove your orders from this browser
			</button>
			{failed && !isBusy && (
				<div role="alert">
					<p className="error">{failed.refusal}</p>
					{failed.needsDocument && <LoadPage className="button" />}
				</div>
			)}
		</Form>
	);
}
