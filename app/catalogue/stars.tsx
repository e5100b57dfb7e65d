/** A rating as stars for the eye and as words for the ear. */
export function Stars({ rating }: { rating: number }) {
	return (
		<span className="stars" role="img" aria-label={`Rated ${rating} of 5 stars`}>
			{"★".repeat(rating)}
			<i>{"★".repeat(5 - rating)}</i>
		</span>
	);
}
