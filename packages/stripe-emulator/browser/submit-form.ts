/** As pressing Enter in a field of the page's own would: not past a disabled button. */
export function submitForm(form: HTMLFormElement | null | undefined): void {
	const button = form?.querySelector<HTMLButtonElement>("button:not([type]), [type=submit]");
	if (!button?.disabled) form?.requestSubmit();
}
