/** Text that is markup already. */
export class Html {
	readonly markup: string;

	constructor(markup: string) {
		this.markup = markup;
	}
}

export type Content = Html | string | number | readonly Content[];

/** Markup with values in it. Every text among them is escaped, for what stands between tags and for what stands in
 *  attributes with double quotes; only what this function has made goes in as it is. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
	return new Html(String.raw({ raw: strings }, ...values.map(markupOf)));
}

function markupOf(content: Content): string {
	if (content instanceof Html) return content.markup;
	if (typeof content === "object") return content.map(markupOf).join("");
	return String(content).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
