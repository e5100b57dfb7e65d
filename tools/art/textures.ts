/** A color, optionally with its offset along the gradient (0 to 1). */
type Stop = string | [color: string, offset: number];

interface Landscape {
	sky: Stop[];
	sun: [core: string, edge: string];
	hills: [top: string, foot: string][];
}

const violet: Landscape = {
	sky: ["#0b1040", ["#5a1f8c", 0.55], "#ff5fa2"],
	sun: ["#fff1a8", "#ff7a5c"],
	hills: [
		["#b0409a", "#7a2a90"],
		["#6a2a9a", "#4a1c80"],
		["#3a1f86", "#2a1466"],
		["#1c1458", "#120c40"],
		["#0e0a34", "#060420"],
	],
};
const petrol: Landscape = {
	sky: ["#04203a", ["#0a6a8a", 0.55], "#ffd08a"],
	sun: ["#fffbe0", "#ffb25a"],
	hills: [
		["#4fb0b0", "#2f8f9a"],
		["#2a7f90", "#1a6580"],
		["#145a74", "#0c4460"],
		["#0a3a54", "#062a40"],
		["#052338", "#021420"],
	],
};
const navy = "#12355b";
const night = "#0a1f38";
const yellow = "#ffb703";

/** SVGs of the screens and prints, by the file name that the scenes use. The prints need the font Inter. */
export const textures: Record<string, string> = {
	"monitor-screen": landscape(1920, 1080, violet),
	"ultrawide-screen": landscape(3840, 1080, petrol),
	"tablet-screen": wallpaper(1536, 2048),
	"tablet-reader": reader(1536, 2048),
	"tablet-recipe": recipe(1536, 2048),
	"mixer-dial": dial(512),
	"socket-labels": socketLabels(1420, 340),
	"monitor-label": monitorLabel(660, 360),
	"book-front": bookFront(1200, 1800),
	"book-back": bookBack(1200, 1800),
	"book-spine": bookSpine(200, 1800),
	"book-left-page": bookPage(1200, 1800, "left"),
	"book-right-page": bookPage(1200, 1800, "right"),
};

/** Returns a generator of random numbers between 0 and 1. The fixed seed keeps textures, and therefore fingerprints,
 *  unchanged between runs. */
function seeded(state: number): () => number {
	return () => {
		state = (state * 1664525 + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

function svg(width: number, height: number, body: string): string {
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`;
}

function gradient(id: string, colors: Stop[], direction = 'x2="0" y2="1"'): string {
	const stops = colors.map((stop, i) => {
		const [color, offset] = typeof stop === "string" ? [stop, i / (colors.length - 1)] : stop;
		return `<stop offset="${offset}" stop-color="${color}"/>`;
	});
	return `<linearGradient id="${id}" x1="0" y1="0" ${direction}>${stops.join("")}</linearGradient>`;
}

function words(x: number, y: number, size: number, weight: number, text: string, fill = "#fff", extra = ""): string {
	return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}" ${extra}>${text}</text>`;
}

function rect(x: number, y: number, width: number, height: number, fill: string, radius = 0): string {
	return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;
}

/** Draws a screen: sky, stars, sun and five ranges of hills. */
function landscape(width: number, height: number, { sky, sun, hills }: Landscape): string {
	const random = seeded(7);
	const [x, y, r] = [width * 0.64, height * 0.42, height * 0.23];
	const ranges = hills.map((_, i) => ridge(width, height, height * (0.56 + 0.11 * i), 0.085 - 0.008 * i, random));
	const stars = Array.from({ length: (width * height) / 14000 }, () => {
		const [across, down] = [random() * width, random() * height * 0.5];
		const [size, opacity] = [random() * 2 + 0.6, random() * 0.8 + 0.1];
		const place = `cx="${across.toFixed(0)}" cy="${down.toFixed(0)}"`;
		return `<circle ${place} r="${size.toFixed(1)}" fill="#fff" opacity="${opacity.toFixed(2)}"/>`;
	});
	return svg(
		width,
		height,
		`<defs>${gradient("sky", sky)}${gradient("sun", sun)}
		${hills.map((colors, i) => gradient(`hill${i}`, colors)).join("")}
		<radialGradient id="glow"><stop offset="0" stop-color="${sun[1]}" stop-opacity=".9"/>
		<stop offset="1" stop-color="${sun[1]}" stop-opacity="0"/></radialGradient></defs>
		${rect(0, 0, width, height, "url(#sky)")}${stars.join("")}
		<circle cx="${x}" cy="${y}" r="${r * 2.6}" fill="url(#glow)"/>
		<circle cx="${x}" cy="${y}" r="${r}" fill="url(#sun)"/>
		${ranges.map((d, i) => `<path d="${d}" fill="url(#hill${i})"/>`).join("")}`,
	);
}

/** Returns the outline of a range of hills: a sum of six sines with random phases. */
function ridge(width: number, height: number, base: number, rise: number, random: () => number): string {
	const phases = Array.from({ length: 6 }, () => random() * 2 * Math.PI);
	const points = Array.from({ length: 161 }, (_, i) => {
		const x = i / 160;
		const waves = phases.map((phase, k) => {
			return Math.sin(x * (2 + k * 3.1) * (width / height) * 1.1 + phase) / (1 + k * 1.15);
		});
		const y = base - rise * height * waves.reduce((sum, wave) => sum + wave);
		return `L${(x * width).toFixed(1)} ${y.toFixed(1)}`;
	});
	return `M0 ${height} ${points.join(" ")} L${width} ${height}Z`;
}

/** Draws the tablet's screen: five soft clouds of color and nine faint waves. */
function wallpaper(width: number, height: number): string {
	const clouds: [color: string, x: number, y: number, r: number][] = [
		["#ff8a5c", 0.15, 0.85, 0.75],
		["#ff4f87", 0.85, 0.7, 0.6],
		["#7b5cff", 0.3, 0.35, 0.7],
		["#35b6ff", 0.9, 0.15, 0.6],
		["#ffd166", 0.05, 0.1, 0.5],
	];
	const colors = clouds.map(
		([color], i) => `<radialGradient id="cloud${i}"><stop offset="0" stop-color="${color}"/>
		<stop offset=".5" stop-color="${color}" stop-opacity=".7"/>
		<stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>`,
	);
	const circles = clouds.map(
		([, x, y, r], i) => `<circle cx="${x * width}" cy="${y * height}" r="${r * width}" fill="url(#cloud${i})"/>`,
	);
	const waves = Array.from({ length: 9 }, (_, i) => {
		const [start, rise, fall, end] = [0.45 + i * 0.06, 0.25 + i * 0.07, 0.75 + i * 0.04, 0.4 + i * 0.07];
		return `<path d="M0 ${start * height} C ${width * 0.3} ${rise * height} ${width * 0.6} ${fall * height}
			${width} ${end * height} V ${height} H0Z" fill="#fff" opacity=".05"/>`;
	});
	return svg(
		width,
		height,
		`<defs>${colors.join("")}</defs>${rect(0, 0, width, height, "#4a5cf0")}${circles.join("")}${waves.join("")}`,
	);
}

function cover(w: number, h: number, print: string): string {
	const ground = gradient("ground", [navy, night], 'x2="1" y2="1"');
	return svg(w, h, `<defs>${ground}</defs>${rect(0, 0, w, h, "url(#ground)")}<g font-family="Inter">${print}</g>`);
}

function bookFront(w: number, h: number): string {
	const bars = Array.from({ length: 7 }, (_, i) => {
		const bar = h * (0.05 + 0.036 * i + (i % 2) * 0.015);
		return rect(w * (0.1 + i * 0.118), h * 0.76 - bar, w * 0.075, bar, i === 6 ? yellow : "#2f6ea8", 6);
	});
	const line = [
		[0.1, 0.62],
		[0.33, 0.53],
		[0.52, 0.55],
		[0.86, 0.35],
	].map(([x = 0, y = 0]) => `${x * w},${y * h}`);
	const tight = 'letter-spacing="-2"';
	return cover(
		w,
		h,
		`${bars.join("")}
		<polyline points="${line.join(" ")}" stroke="${yellow}" stroke-width="${w * 0.014}" fill="none"
			stroke-linecap="round" stroke-linejoin="round"/>
		<circle cx="${w * 0.86}" cy="${h * 0.35}" r="${w * 0.026}" fill="${yellow}"/>
		${words(w * 0.1, h * 0.125, w * 0.128, 800, "The Steady", "#fff", tight)}
		${words(w * 0.1, h * 0.215, w * 0.128, 800, "Business", "#fff", tight)}
		${words(w * 0.1, h * 0.275, w * 0.038, 400, "Small habits that build companies that last", "#bcd3ea")}
		${rect(w * 0.1, h * 0.82, w * 0.12, 5, yellow)}
		${words(w * 0.1, h * 0.9, w * 0.06, 600, "MARA ELLINGTON")}`,
	);
}

/** Draws the back cover: the headline, the blurb, a rule and a made-up bar code. */
function bookBack(w: number, h: number): string {
	const blurb = [
		"Most companies are not undone by one bad",
		"year, but by a hundred small things nobody",
		"finished. Mara Ellington shows which habits",
		"keep a shop, a studio or a workshop alive:",
		"the weekly count, the honest price, the",
		"promise kept on a quiet Tuesday.",
		"",
		"Twelve short chapters, one habit to try",
		"after each, no miracles.",
	];
	const random = seeded(7);
	const bars: string[] = [];
	for (let x = w * 0.655; x < w * 0.875; ) {
		const bar = 2 + Math.floor(random() * 4) * 2;
		bars.push(rect(x, h * 0.845, bar, h * 0.065, "#111"));
		x += bar + 3 + Math.floor(random() * 3) * 2;
	}
	return cover(
		w,
		h,
		`${words(w * 0.1, h * 0.125, w * 0.072, 800, "Slow is a strategy.", yellow, 'letter-spacing="-1"')}
		${words(w * 0.1, h * 0.18, w * 0.046, 600, "Build a business that is still here")}
		${words(w * 0.1, h * 0.21, w * 0.046, 600, "in twenty years.")}
		${blurb.map((row, i) => words(w * 0.1, h * (0.3 + i * 0.036), w * 0.0385, 400, row, "#dbe7f3")).join("")}
		${rect(w * 0.1, h * 0.7, w * 0.12, 5, yellow)}
		${words(w * 0.1, h * 0.86, w * 0.036, 600, "BUSINESS")}
		${words(w * 0.1, h * 0.89, w * 0.032, 400, "Hardback", "#bcd3ea")}
		${rect(w * 0.625, h * 0.83, w * 0.28, h * 0.095, "#fff", 6)}${bars.join("")}`,
	);
}

function bookSpine(w: number, h: number): string {
	return svg(
		w,
		h,
		`${rect(0, 0, w, h, navy)}
		<g transform="translate(${w / 2} ${h * 0.06}) rotate(90)" font-family="Inter">
		${words(0, w * 0.14, w * 0.4, 800, "The Steady Business")}
		${words(h * 0.88, w * 0.1, w * 0.28, 600, "ELLINGTON", yellow, 'text-anchor="end"')}</g>`,
	);
}

/** Draws a page of the open book. */
function bookPage(w: number, h: number, side: "left" | "right"): string {
	return svg(w, h, `${rect(0, 0, w, h, "#f4ecdb")}<g font-family="Inter">${pagePrint(w, h, side)}</g>`);
}

/** Returns the print of a page: the end of a chapter on the left, the start of the next on the right. */
function pagePrint(w: number, h: number, side: "left" | "right"): string {
	const ink = "#3a3733";
	const left = [
		"A letter that waits a week has been answered:",
		"the silence was the answer. So give the post an",
		"hour of its own, before the day has made other",
		"plans, and let nothing leave that hour with you.",
		"",
		"You will be tempted to sort first. Do not. To",
		"sort is to read everything twice and to answer",
		"nothing. Take the one on top.",
		"",
		"Where you cannot answer yet, say so, and say",
		"when. People forgive a date; what they do not",
		"forgive is to have to ask again.",
	];
	const right = [
		"Ask the owner of any shop what a day costs and",
		"you will be told what a month costs, or a year,",
		"or that the accountant knows. None of these can",
		"be acted upon before lunch. A day can.",
		"",
		"Add up what leaves when nobody buys: the rent,",
		"the light, the wages, the coffee. Divide by the",
		"days on which the door is open. Write the sum",
		"on a card and put it where you count the till.",
		"",
		"From then on every evening has a question with",
		"a short answer.",
	];
	const rows = (lines: string[], top: number) =>
		lines.map((row, i) => words(w * 0.13, h * (top + i * 0.0345), w * 0.0325, 400, row, ink)).join("");
	return side === "left"
		? `${rows(left, 0.12)}
			${rect(w * 0.13, h * 0.58, w * 0.74, h * 0.2, "#f0dfbd", 14)}
			${words(w * 0.18, h * 0.635, w * 0.03, 700, "ON MONDAY", "#a8641a", 'letter-spacing="3"')}
			${words(w * 0.18, h * 0.685, w * 0.036, 600, "Answer the oldest letter first.", ink)}
			${words(w * 0.18, h * 0.73, w * 0.036, 600, "Then the next oldest.", ink)}
			${words(w * 0.13, h * 0.94, w * 0.028, 400, "92", ink)}`
		: `${words(w * 0.13, h * 0.16, w * 0.2, 800, "5", "#d98a1f")}
			${words(w * 0.13, h * 0.24, w * 0.075, 800, "What a day costs", navy, 'letter-spacing="-1"')}
			${rect(w * 0.13, h * 0.27, w * 0.12, 5, "#d98a1f")}
			${rows(right, 0.35)}
			${words(w * 0.87, h * 0.94, w * 0.028, 400, "93", ink, 'text-anchor="end"')}`;
}

/** Draws two pages of the book on the tablet's screen, rotated because the tablet lies on its side. */
function reader(w: number, h: number): string {
	const page = { width: 960, height: 1440 };
	const pages = (["left", "right"] as const).map((side, i) => {
		return `<g transform="translate(${48 + i * (h / 2 - 32)} 40)">${pagePrint(page.width, page.height, side)}</g>`;
	});
	return svg(
		w,
		h,
		`${rect(0, 0, w, h, "#f8f3e8")}<g font-family="Inter" transform="translate(${w} 0) rotate(90)">
		${rect(h / 2 - 1, 60, 2, w - 120, "#e2d8c4")}${pages.join("")}</g>`,
	);
}

/** Draws a recipe on the tablet's screen: a loaf, the ingredients and the first two steps. */
function recipe(w: number, h: number): string {
	const ink = "#3a3733";
	const amounts: [amount: string, ingredient: string][] = [
		["4 cups", "bread flour"],
		["1½ cups", "warm water"],
		["2 tsp", "salt"],
		["2 tsp", "dry yeast"],
	];
	const list = amounts.map(([amount, ingredient], i) => {
		const y = h * (0.615 + 0.042 * i);
		return `${words(w * 0.1, y, 52, 700, amount, "#a8641a")}${words(w * 0.31, y, 52, 400, ingredient, ink)}`;
	});
	const cuts = [-0.16, 0, 0.16].map((x) => {
		const at = `${w * (0.5 + x) - 40} ${h * 0.285}`;
		return `<path d="M${at} q90 -70 60 -190" stroke="#f6dcae" stroke-width="26" stroke-linecap="round" fill="none"/>`;
	});
	return svg(
		w,
		h,
		`${rect(0, 0, w, h, "#f1e8d8")}${rect(0, 0, w, h * 0.4, "#f4b983")}
		<ellipse cx="${w / 2}" cy="${h * 0.325}" rx="${w * 0.4}" ry="${h * 0.03}" fill="#d98f55"/>
		<path d="M${w * 0.17} ${h * 0.32} C${w * 0.13} ${h * 0.06} ${w * 0.87} ${h * 0.06} ${w * 0.83} ${h * 0.32}Z"
			fill="#a85f2a"/>
		${cuts.join("")}<g font-family="Inter">
		${words(w * 0.1, h * 0.485, 120, 800, "Everyday loaf", navy, 'letter-spacing="-3"')}
		${words(w * 0.1, h * 0.53, 48, 400, "Three hours, most of it waiting", "#8a7f70")}
		${list.join("")}
		${rect(w * 0.1, h * 0.775, w * 0.8, 4, "#e2d8c4")}
		${words(w * 0.1, h * 0.84, 84, 800, "1", "#d98a1f")}
		${words(w * 0.2, h * 0.835, 52, 400, "Knead for eight minutes at speed two.", ink)}
		${words(w * 0.1, h * 0.92, 84, 800, "2", "#d98a1f")}
		${words(w * 0.2, h * 0.915, 52, 400, "Cover the bowl and let it rise.", ink)}</g>`,
	);
}

/** Draws the plate around the mixer's dial, with 0 to 6 from the upper left clockwise to the bottom. */
function dial(size: number): string {
	const numbers = Array.from({ length: 7 }, (_, step) => {
		const angle = ((150 - 40 * step) * Math.PI) / 180;
		const [x, y] = [size / 2 + size * 0.395 * Math.cos(angle), size / 2 - size * 0.395 * Math.sin(angle)];
		return words(x, y + size * 0.04, size * 0.11, 650, `${step}`, "#2a2623", 'text-anchor="middle"');
	});
	return svg(size, size, `${rect(0, 0, size, size, "#f4e7cf")}<g font-family="Inter">${numbers.join("")}</g>`);
}

/** Draws the field around the monitors' sockets, rotated because its scene attaches it upside down. */
function socketLabels(w: number, h: number): string {
	const labels: [text: string, x: number][] = [
		["DISPLAYPORT", 0.61],
		["HDMI 1", 0.91],
		["HDMI 2", 1.21],
	];
	const print = labels.map(([text, x]) => {
		return words(x * 1000, h * 0.82, 38, 600, text, "#c9c9cc", 'text-anchor="middle" letter-spacing="1"');
	});
	return svg(
		w,
		h,
		`${rect(0, 0, w, h, "#101011")}<g font-family="Inter" transform="rotate(180 ${w / 2} ${h / 2})">
		${print.join("")}</g>`,
	);
}

/** Draws the label on the monitors' backs, rotated because its scene attaches it upside down. */
function monitorLabel(w: number, h: number): string {
	const random = seeded(5);
	const rows = ["CURVED MONITOR", "100–240 V~ 50/60 Hz 1.8 A", "Assembled in California"];
	const bars = Array.from({ length: 46 }, (_, i) => rect(40 + i * 9, 230, 2 + random() * 5, 80, "#c9c9cc"));
	return svg(
		w,
		h,
		`${rect(0, 0, w, h, "#101011")}<g font-family="Inter" transform="rotate(180 ${w / 2} ${h / 2})">
		${rows.map((row, i) => words(40, 72 + i * 56, 40, i === 0 ? 700 : 400, row, "#c9c9cc")).join("")}
		${bars.join("")}</g>`,
	);
}
