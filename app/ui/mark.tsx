/** Renders the logo's six dots in two rows. The dot at index `lit` has another color; the indexes repeat from 6 on.
 *  Drawn with CSS (pieces.css), because SVG dots would make up a tenth of the home page's elements. */
export function Mark({ lit }: { lit?: number }) {
	return <i className="mark" data-lit={lit && lit % 6} />;
}
