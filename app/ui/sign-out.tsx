import type { FormEvent } from "react";
import { useFetcher, useLocation } from "react-router";

/** Stays on the page: signing out that fails says so here. The message goes with the page. */
export function SignOut({ onSubmit }: { onSubmit(event: FormEvent): void }) {
	const { key } = useLocation();
	const { Form, data, state } = useFetcher<{ refusal: string }>({ key: `sign-out ${key}` });
	return (
		<Form method="post" action="/logout" preventScrollReset onSubmit={onSubmit}>
			<button type="submit">Sign Out</button>
			{state === "idle" && data && <p role="alert">We couldn't confirm that you're signed out. {data.refusal}</p>}
		</Form>
	);
}
