import { useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { shopName, signInNotice } from "#app/brand.ts";
import { Link } from "#app/ui/link.tsx";
import { tryApi } from "#app/ui/try-api.ts";
import type { Refusal } from "./credentials.server.ts";

interface SignInFormProps {
	/** Whether the form creates an account. */
	creates: boolean;
	title: string;
	/** Why the form was refused. Without `email`, the request has failed. */
	refused: (Refusal & { email?: string }) | undefined;
}

/** Renders a form that signs in, or that creates an account. A link switches to the other one and keeps what was typed.
 *  Autocomplete makes password managers fill in a saved password or generate one. */
export function SignInForm({ creates, title, refused }: SignInFormProps) {
	const busy = useNavigation().state !== "idle";
	// keep the refusal, because a revalidation clears the action's data, until a link switches to the other form
	const [last, setLast] = useState({ refused, creates });
	if (last.creates !== creates) setLast({ refused: undefined, creates });
	else if (refused && refused !== last.refused) setLast({ refused, creates });
	const { refusal, field } = last.refused ?? {};
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
		<p className="error" id="refusal">
			{refusal}
		</p>
	);
	// without JavaScript, only autofocus can focus the field
	const atFault = { "aria-invalid": true, "aria-describedby": "refusal", autoFocus: true };
	const descriptions = [field === "password" && "refusal", creates && "rules"].filter(Boolean);

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
			<h1>{title}</h1>
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
					autoComplete={creates ? "new-password" : "current-password"}
					autoCapitalize="none"
					spellCheck={false}
					{...(field === "password" && atFault)}
					aria-describedby={descriptions.join(" ") || undefined}
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
			{creates && <small id="rules">At least 8 characters, and not a common password.</small>}
			<small>
				By continuing, you acknowledge that <span translate="no">{shopName}</span> <span>{signInNotice}</span>
			</small>
			<button
				type="submit"
				className="button main"
				name="intent"
				value={creates ? "create-account" : "sign-in"}
				aria-disabled={busy}
			>
				{title}
			</button>
			<p>{creates ? "Have an account?" : "New here?"}</p>
			<Link className="button" to={creates ? "/login" : "/login?new"} replace>
				{creates ? "Sign In" : "Create account"}
			</Link>
		</Form>
	);
}
