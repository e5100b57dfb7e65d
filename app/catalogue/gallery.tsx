import { useLinkClickHandler, useLocation } from "react-router";
import { largestFile, Picture } from "./picture.tsx";
import { fromPage, hashOf, PictureDialog } from "./picture-dialog.tsx";
import type { CatalogueProduct } from "./product.ts";
import { useViews } from "./use-views.ts";

export interface GalleryProps extends Pick<CatalogueProduct["details"], "pictures"> {
	title: string;
}

/** Renders a product's pictures in a list that scrolls horizontally. Each opens in a dialog. */
export function Gallery({ title, pictures }: GalleryProps) {
	const { list, shown, show, onKeyDown } = useViews(pictures.length);
	return (
		<div className="gallery">
			<ul className="views" aria-label="Pictures" {...list} onKeyDown={onKeyDown}>
				{pictures.map(({ image, alt }, index) => (
					<li key={image}>
						<PictureLink image={image} alt={alt} index={index} isShown={index === shown} onFocus={() => show(index)} />
						{pictures.length > 1 && <small aria-hidden>{`${index + 1} of ${pictures.length}`}</small>}
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
			<PictureDialog title={title} pictures={pictures} onClose={(index) => show(index, "instant")} />
		</div>
	);
}

interface PictureLinkProps {
	image: string;
	alt: string;
	index: number;
	isShown: boolean;
	/** Called so that the list scrolls: Chromium does not scroll to some pictures whose width is not a whole number. */
	onFocus: () => void;
}

/** Renders a picture as a link to its largest file. With scripts, it opens the dialog instead. Tab reaches only the
 *  picture that is shown. */
function PictureLink({ image, alt, index, isShown, onFocus }: PictureLinkProps) {
	const { search } = useLocation();
	const to = { search, hash: hashOf(index) };
	const open = useLinkClickHandler<HTMLAnchorElement>(to, { state: fromPage, preventScrollReset: true });
	return (
		<a href={largestFile(image)} tabIndex={isShown ? undefined : -1} onClick={open} onFocus={onFocus}>
			<Picture
				image={image}
				alt={alt}
				sizes="(width < 45em) min(100vw - 28px, 68vh), min(50vw, 68vh)"
				eager={index === 0}
			/>
			<span className="unseen">(full size)</span>
		</a>
	);
}
