/** Submits the form, as pressing Enter in one of its own fields would, unless its submit button is disabled. */
export function submitForm(form: HTMLFormElement | null | undefined): void {
	const button = form?.querySelector<HTMLButtonElement>("button:not([type]), [type=submit]");
	if (!button?.disabled) form?.requestSubmit();
}
