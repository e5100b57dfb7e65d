import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import type { GalleryProps } from "./gallery.tsx";
import { Picture, pictureName } from "./picture.tsx";
import { useViews } from "./use-views.ts";

/** The state of a history entry that the page before it has added. */
export const fromPage = "from the page";

/** Shows the picture that the URL's hash names as large as the window, and the others beside it. The hash has a history
 *  entry, so that Back closes the dialog. Calls `onClose` with the picture that was shown last. */
export function PictureDialog({ title, pictures, onClose }: GalleryProps & { onClose: (index: number) => void }) {
	const { search, hash, state, key } = useLocation();
	const navigate = useNavigate();
	const dialog = useRef<HTMLDialogElement>(null);
	const { list, shown, show, turn, onKeyDown } = useViews(pictures.length);
	const { image = "", alt } = pictures[shown] ?? {};
	const opened = pictures.findIndex((_, index) => hash === hashOf(index));
	// two navigations to the same picture may be rendered at once
	const entry = opened < 0 ? null : key;

	const open = useEffectEvent(() => {
		dialog.current?.showModal();
		show(opened, "instant");
	});
	useEffect(() => {
		if (entry === null) return;
		const { current } = dialog;
		open();
		return () => current?.close();
	}, [entry]);

	function leave(): void {
		onClose(shown);
		if (opened < 0 || dialog.current?.open) return;
		if (state === fromPage) void navigate(-1);
		// the entry of a link to the picture, which may be the tab's first
		else void navigate({ search }, { replace: true, preventScrollReset: true });
	}

	return (
		<dialog
			className="viewer"
			aria-label={title}
			ref={dialog}
			onClose={leave}
			onKeyDown={onKeyDown}
			onClick={({ target, currentTarget }) => {
				if (target instanceof Element && !target.closest("img, .buttons")) currentTarget.close();
			}}
		>
			<div className="buttons">
				<button type="button" className="button" onClick={() => dialog.current?.close()}>
					Close
				</button>
				<p aria-live="polite">{pictures.length > 1 ? `${shown + 1} of ${pictures.length}. ${alt}` : alt}</p>
				{pictures.length > 1 && (
					<>
						<button type="button" className="button" onClick={() => turn(-1)}>
							Previous
						</button>
						<button type="button" className="button" onClick={() => turn(1)}>
							Next
						</button>
					</>
				)}
			</div>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: WebKit has no other focus for a list that scrolls */}
			<ul tabIndex={0} className={`views shelf ${pictureName(image)}`} aria-label="Pictures" {...list}>
				{pictures.map(({ image, alt }) => (
					<li key={image}>
						<Picture image={image} alt={alt} sizes="min(100vw, 100vh)" />
					</li>
				))}
			</ul>
		</dialog>
	);
}

export function hashOf(index: number): string {
	return `#picture-${index + 1}`;
}
