/** The logo's six dots in two rows, with the dot at index `lit` highlighted, or none from 6 on. Drawn with CSS, because
 *  SVG dots would make up a tenth of the home page's elements. */
export function Mark({ lit }: { lit?: number }) {
	return <i className="mark" data-lit={lit} />;
}
