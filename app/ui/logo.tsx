import { Link } from "react-router";

/** Six dots and the name. */
export function Logo() {
	return (
		<Link className="logo" to="/">
			<svg viewBox="0 0 34 24" aria-hidden="true">
				{[6, 18].flatMap((y) => [5, 17, 29].map((x) => <circle key={`${x} ${y}`} cx={x} cy={y} r="4.4" />))}
			</svg>
			half dozen
		</Link>
	);
}
