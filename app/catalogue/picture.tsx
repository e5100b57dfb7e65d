interface PictureProps {
	/** The URL of one size, such as /pictures/mixer-640.webp. */
	image: string;
	/** The `sizes` attribute, which the browser uses to choose a file. */
	sizes: string;
	/** The widths of the files, in pixels. */
	widths?: number[];
	/** Width divided by height. */
	ratio?: number;
	/** Loads the picture immediately. Set only for the first picture on a page; all other pictures load lazily. */
	eager?: boolean;
}

/** A product's picture on the product's background color, in the format and size that suit the screen. `alt` is empty,
 *  because the title is always next to the picture. */
export function Picture({ image, sizes, widths = [320, 640, 960, 1280], ratio = 1, eager = false }: PictureProps) {
	// products that are no longer sold have no picture
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
