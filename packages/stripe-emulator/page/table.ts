import { type Content, type Html, html } from "./html.ts";

export interface Row {
	/** Unique in the page, so that a refresh can match the row. */
	id: string;
	/** The first cell is the row's header. */
	cells: readonly Content[];
}

interface List {
	id: string;
	heading: string;
	columns: readonly string[];
	rows: readonly Row[];
	/** The text of an empty list. */
	none: string;
}

/** Returns a list with a heading and its own scroll area. */
export function list({ id, heading, columns, rows, none }: List): Html {
	return html`<section id="${id}" data-fresh aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${heading} <span class="count">${rows.length}</span></h2>
${
	rows.length === 0
		? html`<p class="none">${none}</p>`
		: html`<div class="scroll" role="region" aria-labelledby="${id}-heading" tabindex="0"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows.map(row)}</tbody>
</table></div>`
}
</section>`;
}

function row({ id, cells: [first = "", ...others] }: Row): Html {
	return html`<tr id="${id}"><th scope="row">${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>
`;
}

const moods: Readonly<Record<string, string>> = {
	succeeded: "good",
	paid: "good",
	processing: "waiting",
	pending: "waiting",
	held: "waiting",
	requires_action: "waiting",
	failed: "bad",
	dropped: "bad",
};

/** Returns a colored badge with the status. */
export function badge(status: string): Html {
	return html`<span class="badge ${moods[status] ?? "plain"}">${status}</span>`;
}
