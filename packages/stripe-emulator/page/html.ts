/** Markup that is inserted without escaping. */
export class Html {
	readonly markup: string;

	constructor(markup: string) {
		this.markup = markup;
	}
}

export type Content = Html | string | number | readonly Content[];

/** Returns markup with its values escaped for use in text and in double-quoted attributes. Only Html values are
 *  inserted unescaped. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
	return new Html(String.raw({ raw: strings }, ...values.map(markupOf)));
}

function markupOf(content: Content): string {
	if (content instanceof Html) return content.markup;
	if (typeof content === "object") return content.map(markupOf).join("");
	return String(content).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
