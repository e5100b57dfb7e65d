import { formatNumber } from "./card-number.ts";
import { whatHappens } from "./cards.ts";
import { type CardGroup, cardGroups, type TestCard } from "./test-cards.ts";

const start = "<!-- Test cards: written by objects/write-test-cards.ts -->";
const end = "<!-- End of test cards -->";

/** Returns the README with its tables of test cards, between two comments, written from the data. */
export function withCardTables(readme: string): string {
	const [before = "", rest = ""] = readme.split(start);
	const [, after = ""] = rest.split(end);
	return `${before}${start}\n\n${cardGroups.map(cardTable).join("\n")}\n${end}${after}`;
}

function cardTable({ heading, cards, tokens }: CardGroup): string {
	const rows = [
		...cards.map((card) => [formatNumber(card.number), card.label, names(card), whatHappens(card.outcome)]),
		...tokens.map(({ token, label, outcome }) => ["", label, `\`tok_${token}\``, whatHappens(outcome)]),
	];
	const header = "| Number | Card | Names | What happens |\n|---|---|---|---|";
	return `### ${heading}\n\n${header}\n${rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

function names({ names, tokens }: TestCard): string {
	return [...names.map((name) => `\`${name}\``), ...tokens.map((name) => `\`tok_${name}\``)].join(", ");
}
