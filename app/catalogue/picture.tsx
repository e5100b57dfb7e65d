interface PictureProps {
	/** The URL of one size, such as /pictures/mixer-640.webp. */
	image: string;
	/** How wide it is shown, for the browser to choose a file: https://html.spec.whatwg.org/#sizes-attributes */
	sizes: string;
	/** The widths that exist, in pixels. */
	widths?: number[];
	/** Width over height. */
	ratio?: number;
	/** The first picture of a page is wanted at once, the rest when they come near. */
	eager?: boolean;
}

/** A product's picture on a shelf of its own colour, which is all there is to see until the picture is there, in the
 *  format and size that suit the screen. It repeats what the title beside it says, so it is silent for screen readers. */
export function Picture({ image, sizes, widths = [320, 640, 960, 1280], ratio = 1, eager = false }: PictureProps) {
	// a product that is no longer sold has no picture
	if (image === "") return <span className="shelf" />;
	const [, path = image, name = ""] = /^(\/pictures\/([a-z]+)(?:-[a-z]+|-\d)?)-\d+\.webp$/.exec(image) ?? [];
	const files = (format: string) => widths.map((width) => `${path}-${width}.${format} ${width}w`).join(", ");
	const width = widths[1] ?? 640;
	return (
		<picture className={`shelf ${name}`}>
			<source type="image/avif" srcSet={files("avif")} sizes={sizes} />
			<img
				src={image}
				srcSet={files("webp")}
				sizes={sizes}
				width={width}
				height={width / ratio}
				alt=""
				loading={eager ? "eager" : "lazy"}
				fetchPriority={eager ? "high" : undefined}
			/>
		</picture>
	);
}
