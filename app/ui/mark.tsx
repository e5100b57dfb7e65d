const dots = [0, 1, 2, 3, 4, 5];

/** Six dots, three above three. `lit` is the one that is meant, counted from 0; without it all of them are. */
export function Mark({ lit }: { lit?: number }) {
	return (
		<svg className="mark" viewBox="0 0 34 22" aria-hidden="true">
			{dots.map((dot) => (
				<circle
					key={dot}
					className={lit === undefined || lit === dot ? "lit" : undefined}
					cx={5 + 12 * (dot % 3)}
					cy={dot < 3 ? 5 : 17}
					r="4.4"
				/>
			))}
		</svg>
	);
}
