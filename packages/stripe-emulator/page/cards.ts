import { formatNumber } from "../objects/card-number.ts";
import { whatHappens } from "../objects/cards.ts";
import { cardGroups } from "../objects/test-cards.ts";
import { copyButton } from "./fields.ts";
import { type Html, html } from "./html.ts";

interface Card {
	label: string;
	outcome: string;
	/** What can be copied: the card number, and the ids that a server uses. */
	ids: readonly string[];
}

const groups = cardGroups.map(({ heading, cards, tokens }) => ({
	heading,
	cards: [
		...cards.map(({ number, label, names, tokens: tokenNames, outcome }) => {
			const ids = [...names.map((name) => `pm_card_${name}`), ...tokenNames.map((name) => `tok_${name}`)];
			return { label, outcome: whatHappens(outcome), ids: [number, ...ids] };
		}),
		...tokens.map(({ token, label, outcome }) => ({ label, outcome: whatHappens(outcome), ids: [`tok_${token}`] })),
	],
}));

/** Returns the test cards that contain every word of `search`. */
export function cardsPane(search: string): Html {
	const words = search.toLowerCase().split(/\s+/);
	const matches = ({ label, outcome, ids }: Card) => {
		const text = `${label} ${outcome} ${ids.join(" ")} ${ids.map(shown).join(" ")}`.toLowerCase();
		return words.every((word) => text.includes(word));
	};
	const found = groups
		.map(({ heading, cards }) => ({ heading, cards: cards.filter(matches) }))
		.filter(({ cards }) => cards.length > 0);
	return html`<h2 tabindex="-1">Test cards</h2>
<p class="muted">Any future expiry and any security code work: three digits, or four for American Express.</p>
<form id="card-search" method="get" action="./"><input type="hidden" name="open" value="cards">
<input type="search" name="card" value="${search}" aria-label="Search test cards" placeholder="Search: declined, visa, 3-D Secure …" autocomplete="off" spellcheck="false"> <button>Find</button></form>
<div id="cards" data-live>${found.map(group)}
${found.length === 0 ? html`<p class="muted">No test card matches.</p>` : ""}</div>`;
}

function group({ heading, cards }: { heading: string; cards: readonly Card[] }): Html {
	return html`<h3>${heading} <span class="muted">${cards.length}</span></h3>
<ul class="cards">${cards.map(card)}</ul>`;
}

function card({ label, outcome, ids }: Card): Html {
	return html`<li><div><b>${label}</b> ${outcome}</div>
<ul>${ids.map((id) => html`<li><code>${shown(id)}</code> ${copyButton(id, shown(id))}</li>`)}</ul></li>
`;
}

function shown(id: string): string {
	return /^\d+$/.test(id) ? formatNumber(id) : id;
}
