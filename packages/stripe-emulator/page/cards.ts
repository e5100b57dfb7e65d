import { formatNumber } from "../objects/card-number.ts";
import { testCards, whatHappens } from "../objects/cards.ts";
import { copyButton } from "./fields.ts";
import { type Html, html } from "./html.ts";

interface Card {
	number: string;
	label: string;
	outcome: string;
}

/** Returns the test cards by the outcome of a payment. */
function groups(): [name: string, cards: Card[]][] {
	const cards = testCards.map(({ number, label, outcome }) => {
		const { decline, authentication } = outcome;
		const group = authentication !== "never" ? "3-D Secure" : decline ? "Declined" : "Successful";
		return { group, number, label, outcome: whatHappens(outcome) };
	});
	return [...Map.groupBy(cards, ({ group }) => group)];
}

/** Returns the test cards that contain every word of `search`. `open` keeps the pane open when the form is submitted. */
export function cardsPane(search: string): Html {
	const words = search.toLowerCase().split(/\s+/);
	const matches = ({ number, label, outcome }: Card) => {
		const text = `${number} ${formatNumber(number)} ${label} ${outcome}`.toLowerCase();
		return words.every((word) => text.includes(word));
	};
	const found = groups().map(([name, cards]) => [name, cards.filter(matches)] as const);
	return html`<h2 tabindex="-1">Test cards</h2>
<p class="muted">Any future expiry and any security code work: three digits, or four for American Express.</p>
<form id="card-search" method="get" action="./"><input type="hidden" name="open" value="cards">
<input type="search" name="card" value="${search}" aria-label="Search test cards" placeholder="Search: declined, visa, 3-D Secure …" autocomplete="off" spellcheck="false"> <button>Find</button></form>
<div id="cards" data-live>${found.map(([name, cards]) => group(name, cards))}
${found.every(([, cards]) => cards.length === 0) ? html`<p class="muted">No test card matches.</p>` : ""}</div>`;
}

function group(name: string, cards: readonly Card[]): Html | string {
	if (cards.length === 0) return "";
	return html`<h3>${name} <span class="muted">${cards.length}</span></h3>
<ul class="cards">${cards.map(
		({
			number,
			label,
			outcome,
		}) => html`<li id="card-${number}"><div><b>${label}</b> ${outcome}</div> <code class="number">${formatNumber(number)}</code> ${copyButton(number, formatNumber(number))}</li>
`,
	)}</ul>`;
}
