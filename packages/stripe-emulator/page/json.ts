import { type Content, type Html, html } from "./html.ts";

/** Ids of objects, events and requests: a prefix, and letters and digits that are not a word. */
const idPattern = /^[a-z]{2,}_(?=\w*[0-9A-Z])[0-9A-Za-z]{8,}$/;

/** Returns a JSON value with indentation, in which every id links to its object. `linkTo` returns the URL of an id. */
export function json(value: unknown, linkTo: (id: string) => string): Html {
	return html`<pre>${part(value, "")}</pre>`;

	function part(value: unknown, indent: string): Content {
		if (typeof value === "string") {
			if (idPattern.test(value)) return html`"<a href="${linkTo(value)}">${value}</a>"`;
			return html`<span class="text">${JSON.stringify(value)}</span>`;
		}
		if (typeof value !== "object" || value === null) return html`<span class="number">${String(value)}</span>`;
		const inner = `${indent}  `;
		const lines = Array.isArray(value)
			? value.map((each) => part(each, inner))
			: Object.entries(value).map(([name, each]) => html`<b>${JSON.stringify(name)}</b>: ${part(each, inner)}`);
		const [start, end] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
		if (lines.length === 0) return `${start}${end}`;
		return [start, lines.map((line, index) => [index > 0 ? "," : "", "\n", inner, line]), "\n", indent, end];
	}
}

/** Returns a JSON text with indentation, or any other text as it is. */
export function jsonText(text: string, linkTo: (id: string) => string): Html {
	try {
		return json(JSON.parse(text), linkTo);
	} catch {
		return html`<pre>${text}</pre>`;
	}
}
