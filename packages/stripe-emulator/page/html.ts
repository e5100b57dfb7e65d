/** Escaped markup. */
export class Html {
	readonly markup: string;

	constructor(markup: string) {
		this.markup = markup;
	}
}

export type Content = Html | string | number | readonly Content[];

/** Returns markup with its values escaped, for text and for attributes in double quotes. Only other Html is inserted as
 *  it is. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
	return new Html(String.raw({ raw: strings }, ...values.map(markupOf)));
}

function markupOf(content: Content): string {
	if (content instanceof Html) return content.markup;
	if (typeof content === "object") return content.map(markupOf).join("");
	return String(content).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
