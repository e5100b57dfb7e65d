const stars = [8, 28, 48, 68, 88].map(
	(x) => `M${x} .5l2.3 4.9 5.2.7-3.8 3.7.9 5.3-4.6-2.6-4.6 2.6.9-5.3-3.8-3.7 5.2-.7z`,
);

/** Renders a rating as stars and a number, with a label for screen readers. One path draws all filled stars and another
 *  all others, because a path per star would make up a seventh of the home page's elements. */
export function Stars({ rating }: { rating: number }) {
	return (
		<span className="stars" role="img" aria-label={`Rated ${rating} out of 5 stars`}>
			<svg viewBox="0 0 96 16" aria-hidden="true">
				<path d={stars.slice(0, rating).join("")} />
				{rating < stars.length && <path d={stars.slice(rating).join("")} />}
			</svg>
			<span>{`${rating}/5`}</span>
		</span>
	);
}
