import { type KeyboardEvent, type TouchEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { tryApi } from "#app/ui/try-api.ts";
import { Picture } from "./picture.tsx";
import type { CatalogueProduct } from "./product.ts";

/** Renders a product's pictures. A swipe, a thumbnail or an arrow key selects another picture. A click shows the
 *  picture in a dialog, where each click enlarges it or shows all of it. */
export function Gallery({ pictures, title }: { pictures: CatalogueProduct["details"]["pictures"]; title: string }) {
	const [shown, setShown] = useState(0);
	const [isFull, setFull] = useState(false);
	const views = useRef<HTMLUListElement>(null);
	const zoom = useRef<HTMLDialogElement>(null);
	const frame = useRef<HTMLDivElement>(null);
	const touchStart = useRef(0);
	const enlarged = pictures[shown];

	/** Scrolls to a picture, which selects it. After the last picture comes the first. */
	function show(index: number, behavior: ScrollBehavior = "auto"): number {
		const next = (index + pictures.length) % pictures.length;
		setFull(false);
		// the scroll event is too late for another key or click
		if (behavior === "instant") setShown(next);
		scroll(next, behavior);
		return next;
	}

	function scroll(index: number, behavior: ScrollBehavior) {
		const list = views.current;
		const [first, picture] = [list?.querySelector("li"), list?.querySelectorAll("li")[index]];
		if (first && picture) list?.scrollTo({ left: picture.offsetLeft - first.offsetLeft, behavior });
	}

	// a browser otherwise keeps the distance in pixels, which may be at another picture
	const stay = useEffectEvent(() => scroll(shown, "instant"));
	useEffect(() => {
		const onResize = () => stay();
		addEventListener("resize", onResize);
		return () => removeEventListener("resize", onResize);
	}, []);

	function onKeyDown(event: KeyboardEvent) {
		const { key, altKey, ctrlKey, metaKey } = event;
		const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
		// in full size, the keys scroll the picture
		if (step === 0 || isFull || altKey || ctrlKey || metaKey) return;
		event.preventDefault();
		const list = document.activeElement?.closest(".views, .thumbs");
		const next = show(shown + step, "instant");
		list?.querySelectorAll("button")[next]?.focus({ preventScroll: true });
	}

	/** Focuses the picture that was last shown, because the browser focuses the one that opened the dialog. */
	function onClose() {
		setFull(false);
		views.current?.querySelectorAll("button")[shown]?.focus({ preventScroll: true });
	}

	function toggleFull() {
		// render the picture now, to scroll to its middle
		flushSync(() => setFull(!isFull));
		const box = frame.current;
		box?.scroll((box.scrollWidth - box.clientWidth) / 2, (box.scrollHeight - box.clientHeight) / 2);
	}

	/** Selects the next or the previous picture after a swipe of 40 pixels, unless the swipe scrolls the picture. */
	function onTouchEnd({ changedTouches }: TouchEvent) {
		const distance = (changedTouches[0]?.clientX ?? 0) - touchStart.current;
		if (!isFull && Math.abs(distance) > 40) show(shown - Math.sign(distance), "instant");
	}

	return (
		<fieldset className="gallery" aria-label="Pictures" onKeyDown={onKeyDown}>
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
						<button
							type="button"
							tabIndex={index === shown ? 0 : -1}
							onClick={() => tryApi(() => zoom.current?.showModal())}
							aria-haspopup="dialog"
						>
							<span className="unseen">Enlarge: </span>
							<Picture
								image={image}
								alt={alt}
								sizes="(width < 45em) min(100vw - 28px, 68vh), min(50vw, 68vh)"
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
						tabIndex={index === shown ? 0 : -1}
						aria-label={`Show picture ${index + 1} of ${pictures.length}`}
						aria-current={index === shown}
						onClick={() => show(index)}
					>
						<Picture image={image} sizes="96px" />
					</button>
				))}
			</div>
			{enlarged && (
				<dialog className="zoom" ref={zoom} aria-label={`Pictures: ${title}`} onClose={onClose}>
					<form method="dialog">
						<button type="submit" className="button">
							Close
						</button>
						<div
							ref={frame}
							onTouchStart={({ touches }) => {
								// two fingers zoom
								touchStart.current = touches.length > 1 ? Number.NaN : (touches[0]?.clientX ?? 0);
							}}
							onTouchEnd={onTouchEnd}
						>
							<button type="button" aria-pressed={isFull} onClick={toggleFull}>
								<span className="unseen">Full size: </span>
								{/* lazy, so not loaded until the dialog is open */}
								<Picture image={enlarged.image} alt={enlarged.alt} sizes="1280px" />
							</button>
						</div>
						<button type="button" className="button" onClick={() => show(shown - 1, "instant")}>
							Previous<span className="unseen"> picture</span>
						</button>
						<p role="status">
							<span className="unseen">Picture</span> <span>{`${shown + 1} of ${pictures.length}`}</span>{" "}
							<span className="unseen">{enlarged.alt}</span>
						</p>
						<button type="button" className="button" onClick={() => show(shown + 1, "instant")}>
							Next<span className="unseen"> picture</span>
						</button>
					</form>
				</dialog>
			)}
		</fieldset>
	);
}
