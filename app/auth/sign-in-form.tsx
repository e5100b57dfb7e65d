import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { shopName, signInNotice } from "#app/brand.ts";
import { tryApi } from "#app/ui/try-api.ts";
import type { Refusal } from "./credentials.server.ts";
import { minPasswordLength } from "./password-length.ts";

/** Renders the form that signs in and creates accounts. Without `email`, the request has failed; `loadPage`
 *  is shown if only a document can get past what has answered. */
export function SignInForm({
	refused,
	loadPage,
}: {
	refused: (Refusal & { email?: string; needsDocument?: boolean }) | undefined;
	loadPage: ReactNode;
}) {
	const busy = useNavigation().state !== "idle";
	// keep the refusal, because a revalidation clears the action's data
	const [last, setLast] = useState(refused);
	if (refused && refused !== last) setLast(refused);
	const { refusal, field, needsDocument } = last ?? {};
	const [typedBefore] = useState(refused?.email);
	const [isShown, setShown] = useState(false);
	const form = useRef<HTMLFormElement>(null);

	// the specification requires an alert; without JavaScript, only the form shows the message
	useEffect(() => {
		if (!refused) return;
		tryApi(() => alert(refused.refusal));
		form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
	}, [refused]);

	const error = refusal && (
		<>
			<p className="error" id="refusal">
				{refusal}
			</p>
			{needsDocument && loadPage}
		</>
	);
	// without JavaScript, only autofocus can focus the field
	const atFault = { "aria-invalid": true, "aria-describedby": "refusal", autoFocus: true };

	return (
		<Form
			method="post"
			noValidate
			className="sheet"
			ref={form}
			onSubmit={(event) => {
				setShown(false);
				// a disabled button would lose focus
				if (busy) event.preventDefault();
			}}
		>
			<h1>Sign In</h1>
			{!field && error}
			<label>
				Email
				<input
					type="email"
					name="email"
					autoComplete="username"
					defaultValue={typedBefore}
					{...(field === "email" && atFault)}
				/>
			</label>
			{field === "email" && error}
			<label>
				Password
				<input
					type={isShown ? "text" : "password"}
					name="password"
					autoComplete="current-password"
					autoCapitalize="none"
					spellCheck={false}
					{...(field === "password" && atFault)}
				/>
			</label>
			<button
				type="button"
				className="quiet"
				aria-pressed={isShown}
				// keeps the focus and the caret in the field
				onMouseDown={(event) => event.preventDefault()}
				onClick={() => setShown(!isShown)}
			>
				Show password
			</button>
			{field === "password" && error}
			<small>
				By continuing, you acknowledge that <span translate="no">{shopName}</span> <span>{signInNotice}</span>
			</small>
			{/* Enter presses the first button. Without a button, as from a password manager, the form also signs in */}
			<button type="submit" className="button main" aria-disabled={busy}>
				Sign In
			</button>
			<p id="rules">
				{`New here? Choose a password with at least ${minPasswordLength} characters that isn't a common one.`}
			</p>
			<button
				type="submit"
				className="button"
				name="intent"
				value="create-account"
				aria-disabled={busy}
				aria-describedby="rules"
			>
				Create account
			</button>
		</Form>
	);
}
