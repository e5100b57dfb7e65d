import { type Html, html } from "./html.ts";

export type Choices = readonly (readonly [value: string, label: string])[];

/** The URL to which the page's forms are submitted, relative to the page. */
export const action = "controls";

/** Returns a form that sends one control, inside a closed `<details>`. */
export function form(control: string, summary: string, button: string, fields: readonly Html[]): Html {
	return html`<details><summary>${summary}</summary>
<form method="post" action="${action}" class="fields">
<input type="hidden" name="control" value="${control}">
${fields}
<button>${button}</button>
</form></details>`;
}

export function select(name: string, label: string, choices: Choices): Html {
	const options = choices.map(([value, text]) => html`<option value="${value}">${text}</option>`);
	return html`<label>${label} <select name="${name}">${options}</select></label>
`;
}

export function number(
	name: string,
	label: string,
	{ min, max, value }: { min: number; max?: number; value: number },
): Html {
	const limit = max === undefined ? "" : html` max="${max}"`;
	return html`<label>${label} <input type="number" name="${name}" min="${min}"${limit} value="${value}" required></label>
`;
}
