/** The logo's six dots in two rows, with the dot at index `lit` highlighted. Drawn with CSS: SVG dots would be a tenth of
 *  the home page's elements. */
export function Mark({ lit }: { lit?: number }) {
	return <i className="mark" data-lit={lit} />;
}
