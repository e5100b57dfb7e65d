import { hero, product, tallHero, wide } from "#app/catalogue/picture-widths.ts";

export interface Picture {
	/** A file in scenes/. */
	scene: string;
	/** The widths in pixels that the shop's pages use. */
	widths: number[];
	/** Fine cloth or sheets: the smallest width is blurred slightly, because browsers that shrink it could show moiré, and
	 *  all widths have a higher quality. */
	soft?: boolean;
}

/** Every picture of the shop, in rendering order. */
export const pictures = new Map<string, Picture>([
	["book", { scene: "book", widths: product }],
	["book-2", { scene: "book", widths: product }],
	["book-3", { scene: "book", widths: product, soft: true }],
	["book-4", { scene: "book", widths: product }],
	["book-5", { scene: "desk", widths: product }],
	["mixer", { scene: "mixer", widths: product }],
	["mixer-2", { scene: "mixer", widths: product }],
	["mixer-3", { scene: "mixer", widths: product }],
	["mixer-4", { scene: "mixer", widths: product }],
	["mixer-5", { scene: "kitchen", widths: product }],
	["monitor", { scene: "monitor", widths: product }],
	["monitor-2", { scene: "monitor", widths: product }],
	["monitor-3", { scene: "monitor", widths: product }],
	["monitor-4", { scene: "monitor", widths: product }],
	["monitor-5", { scene: "desk", widths: product }],
	["speaker", { scene: "speaker", widths: product, soft: true }],
	["speaker-2", { scene: "speaker", widths: product, soft: true }],
	["speaker-3", { scene: "speaker", widths: product, soft: true }],
	["speaker-4", { scene: "speaker", widths: product, soft: true }],
	["speaker-5", { scene: "kitchen", widths: product, soft: true }],
	["tablet", { scene: "tablet", widths: product }],
	["tablet-2", { scene: "tablet", widths: product }],
	["tablet-3", { scene: "tablet", widths: product }],
	["tablet-4", { scene: "tablet", widths: product }],
	["tablet-5", { scene: "kitchen", widths: product }],
	["ultrawide", { scene: "ultrawide", widths: product }],
	["ultrawide-2", { scene: "ultrawide", widths: product }],
	["ultrawide-3", { scene: "ultrawide", widths: product }],
	["ultrawide-4", { scene: "comparison", widths: product }],
	["ultrawide-5", { scene: "desk", widths: product }],
	["ultrawide-wide", { scene: "ultrawide", widths: wide }],
	["hero", { scene: "heroes", widths: hero }],
	["hero-night", { scene: "heroes", widths: hero }],
	["hero-tall", { scene: "heroes", widths: tallHero }],
	["hero-tall-night", { scene: "heroes", widths: tallHero }],
]);
