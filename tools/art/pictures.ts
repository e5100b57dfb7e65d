/** `scene` is a file in scenes/; `widths` are the widths in pixels that the shop's pages use. */
export interface Picture {
	scene: string;
	widths: number[];
}

const product = [320, 640, 960, 1280];

/** Every picture of the shop, in rendering order. */
export const pictures = new Map<string, Picture>([
	["book", { scene: "book", widths: product }],
	["book-2", { scene: "book", widths: product }],
	["mixer", { scene: "mixer", widths: product }],
	["mixer-2", { scene: "mixer", widths: product }],
	["monitor", { scene: "monitor", widths: product }],
	["monitor-2", { scene: "monitor", widths: product }],
	["speaker", { scene: "speaker", widths: product }],
	["speaker-2", { scene: "speaker", widths: product }],
	["tablet", { scene: "tablet", widths: product }],
	["tablet-2", { scene: "tablet", widths: product }],
	["ultrawide", { scene: "ultrawide", widths: product }],
	["ultrawide-2", { scene: "ultrawide", widths: product }],
	["ultrawide-wide", { scene: "ultrawide", widths: [640, 1200, 1600] }],
	["hero", { scene: "heroes", widths: [960, 1440, 2000] }],
	["hero-tall", { scene: "heroes", widths: [480, 760, 1200] }],
]);
