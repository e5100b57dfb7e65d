/** Six dots, three above three; `lit` is the one that is meant, counted from 0. Drawn by the stylesheet: six of them as
 *  SVG would be a tenth of the home page's elements. */
export function Mark({ lit }: { lit?: number }) {
	return <i className="mark" data-lit={lit} />;
}
