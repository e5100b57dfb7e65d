const dots = [0, 1, 2, 3, 4, 5];

/** Six dots, three above three. `lit` is the one that is meant, counted from 0; without it all of them are. The lit dots
 *  are one shape and the others another: an element for each would be a fifth of the home page's. */
export function Mark({ lit }: { lit?: number }) {
	const isLit = (dot: number) => lit === undefined || lit === dot;
	return (
		<svg className="mark" viewBox="0 0 34 22" aria-hidden="true">
			<path className="lit" d={shape(dots.filter(isLit))} />
			<path d={shape(dots.filter((dot) => !isLit(dot)))} />
		</svg>
	);
}

/** Circles with a radius of 4.4, each from its left end and back. */
function shape(dots: number[]): string {
	return dots
		.map((dot) => `M${0.6 + 12 * (dot % 3)} ${dot < 3 ? 5 : 17}a4.4 4.4 0 1 0 8.8 0 4.4 4.4 0 1 0-8.8 0z`)
		.join("");
}
