import { product } from "./picture-widths.ts";

interface PictureProps {
	/** The URL of one size, such as /pictures/mixer-640.webp. */
	image: string;
	/** The `sizes` attribute, which the browser uses to choose a file. */
	sizes: string;
	/** The widths of the files, in pixels. */
	widths?: number[];
	/** Width divided by height. */
	ratio?: number;
	/** Describes what is visible. Empty if the text beside the picture says it. */
	alt?: string;
	/** Loads the picture immediately. Set only for the first picture on a page; all other pictures load lazily. */
	eager?: boolean;
}

/** Renders a product's picture on the product's background color, in the format and size that suit the screen. */
export function Picture({ image, sizes, widths = product, ratio = 1, alt = "", eager }: PictureProps) {
	// a rebuilt order has no picture of a product that is no longer sold
	if (image === "") return <span className="shelf" />;
	const path = image.slice(0, image.lastIndexOf("-"));
	const files = (format: string) => widths.map((width) => `${path}-${width}.${format} ${width}w`).join(", ");
	const width = widths[1] ?? 640;
	return (
		<picture className={`shelf ${pictureName(image)}`}>
			<source type="image/avif" srcSet={files("avif")} sizes={sizes} />
			<img
				src={image}
				srcSet={files("webp")}
				sizes={sizes}
				width={width}
				height={width / ratio}
				alt={alt}
				loading={eager ? "eager" : "lazy"}
				fetchPriority={eager ? "high" : undefined}
			/>
		</picture>
	);
}

/** Returns the URL of a picture's largest file, as WebP. */
export function largestFile(image: string): string {
	return image.replace("-640.", "-1280.");
}

/** Returns the class of the product's colors: "mixer" for /pictures/mixer-2-640.webp. */
export function pictureName(image: string): string {
	return /^\/pictures\/([a-z]+)/.exec(image)?.[1] ?? "";
}
