import { products } from "./catalogue.ts";

/** Returns the text between the first `from` and the next `to`. */
export function between(html: string, from: string, to: string): string {
	return html.split(from)[1]?.split(to)[0] ?? "";
}

export const frameOf = (html: string) => ({
	header: html.includes('<header class="bar">'),
	footerBar: html.includes('<footer class="foot">'),
});

export function cardsOf(html: string) {
	return [...html.matchAll(/<article class="card">(.*?)<\/article>/gs)].map(([, card = ""]) => ({
		price: between(card, '<span class="price">', "</span>"),
		stars: between(card, 'aria-label="Rated ', " out of 5 stars"),
		id: between(card, 'href="/product/', '"'),
		buttons: ["More Info", "Add to Basket"].every((label) => card.includes(`>${label}<`)),
	}));
}

/** The expected result of `cardsOf` for all products. */
export const cards = products.map(({ id, price, rating }) => ({
	...{ id, price, stars: String(rating), buttons: true },
}));
