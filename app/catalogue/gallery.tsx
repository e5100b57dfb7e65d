import { useRef, useState } from "react";
import { largestFile, Picture } from "./picture.tsx";
import type { CatalogueProduct } from "./product.ts";

/** Renders a product's pictures in a list that scrolls horizontally. Each is a link to its largest file. */
export function Gallery({ pictures }: { pictures: CatalogueProduct["details"]["pictures"] }) {
	const [shown, setShown] = useState(0);
	const views = useRef<HTMLUListElement>(null);
	const show = (index: number) => views.current?.children[index]?.scrollIntoView({ block: "nearest", inline: "start" });
	return (
		<div className="gallery">
			<ul
				className="views"
				aria-label="Pictures"
				ref={views}
				// scrollLeft is negative in a page written from right to left
				onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
					setShown(Math.abs(Math.round(scrollLeft / clientWidth)))
				}
			>
				{pictures.map(({ image, alt }, index) => (
					<li key={image}>
						{/* a new tab, because the file would replace this document and its basket. Chromium itself does not
						    scroll to some focused pictures whose width is not a whole number */}
						<a href={largestFile(image)} target="_blank" rel="noopener" onFocus={() => show(index)}>
							<Picture
								image={image}
								alt={alt}
								sizes="(width < 45em) min(100vw - 28px, 68vh), min(50vw, 68vh)"
								eager={index === 0}
							/>
							<span className="unseen">(full size in a new tab)</span>
						</a>
					</li>
				))}
			</ul>
			{/* only for pointers: with a keyboard or a screen reader, the links are the control */}
			<div className="thumbs" aria-hidden>
				{pictures.map(({ image }, index) => (
					<button
						type="button"
						key={image}
						tabIndex={-1}
						className={index === shown ? "shown" : undefined}
						onClick={() => show(index)}
					>
						<Picture image={image} sizes="96px" />
					</button>
				))}
			</div>
		</div>
	);
}
