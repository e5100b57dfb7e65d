import { useRef, useState } from "react";
import { Picture } from "./picture.tsx";
import type { Details } from "./product.ts";

/** Renders a product's pictures. A swipe or a thumbnail selects another picture, and a click enlarges it. */
export function Gallery({ pictures, title }: { pictures: Details["pictures"]; title: string }) {
	const [shown, setShown] = useState(0);
	const views = useRef<HTMLUListElement>(null);
	const zoom = useRef<HTMLDialogElement>(null);
	const enlarged = pictures[shown];

	function enlarge() {
		const dialog = zoom.current;
		dialog?.showModal();
		// the middle of the picture
		dialog?.scroll((dialog.scrollWidth - dialog.clientWidth) / 2, (dialog.scrollHeight - dialog.clientHeight) / 2);
	}

	return (
		<div className="gallery">
			<ul
				className="views"
				ref={views}
				// scrollLeft is negative in a page written from right to left
				onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
					setShown(Math.abs(Math.round(scrollLeft / clientWidth)))
				}
			>
				{pictures.map(({ image, alt }, index) => (
					<li key={image}>
						<button type="button" onClick={enlarge} aria-haspopup="dialog">
							{/* the width of the column without the padding */}
							<Picture
								image={image}
								alt={alt}
								sizes="(width < 45em) calc(100vw - 48px), min(48vw, 620px)"
								eager={index === 0}
							/>
						</button>
					</li>
				))}
			</ul>
			<div className="thumbs">
				{pictures.map(({ image }, index) => (
					<button
						type="button"
						key={image}
						aria-label={`Picture ${index + 1} of ${pictures.length}`}
						aria-current={index === shown}
						onClick={() => views.current?.children[index]?.scrollIntoView({ block: "nearest" })}
					>
						<Picture image={image} sizes="72px" />
					</button>
				))}
			</div>
			{enlarged && (
				<dialog className="zoom" ref={zoom} aria-label={title}>
					<form method="dialog">
						<button type="submit" className="button">
							Close
						</button>
					</form>
					{/* lazy, so not loaded until the dialog is open */}
					<Picture image={enlarged.image} alt={enlarged.alt} sizes="1280px" />
				</dialog>
			)}
		</div>
	);
}
